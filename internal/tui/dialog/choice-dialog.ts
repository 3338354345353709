// A question of the screen about some lines. Each answer has a key, and none is preselected. The
// functions are pure.
import type { KeyPress } from '../input/key-press.ts'
import { isRead, openPager, type Pager, scrollBy } from '../terminal/pager.ts'
import type { ScreenRow } from '../terminal/rows.ts'
import { editLine } from './line-edit.ts'

export interface DialogAnswer {
  key: string
  /** Other keys that give the answer and that the screen does not show. */
  also?: readonly string[]
  label: string
  /** True if the answer counts only after the last line was shown. */
  isLast?: boolean
  /** True if the answer only shows something, so that the question stays open. */
  stays?: boolean
}

/**
 * Number of rows on the screen that are not lines of the question: its border and answers, the editor
 * and the status.
 */
export const frameRows = 11

export interface ChoiceDialog {
  readonly title: string
  readonly pager: Pager
  readonly answers: readonly DialogAnswer[]
}

export function openChoiceDialog(
  title: string,
  layout: { rows: readonly ScreenRow[]; height: number },
  answers: readonly DialogAnswer[],
): ChoiceDialog {
  return { title, pager: openPager(layout.rows, layout.height), answers }
}

/**
 * Returns the dialog after a key. `key` is the given answer, and `stays` means that it keeps the dialog open.
 * `closed` means that the dialog closed without an answer: by Escape, by `n` if that is not an answer, or by
 * typed text. In the last case `passed` is true, and the text belongs to the editor.
 */
export function pressChoiceKey(
  state: ChoiceDialog,
  { key, text, burst = false }: KeyPress,
): { state: ChoiceDialog; key?: string; closed?: boolean; passed?: boolean; stays?: boolean } {
  const page = Math.max(1, state.pager.height - 1)
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    down: 1,
    pageup: -page,
    pagedown: page,
    space: page,
    enter: page,
  }
  const step = steps[key]
  if (step !== undefined) {
    const pager = scrollBy(state.pager, step)
    return { state: pager === state.pager ? state : { ...state, pager } }
  }
  const isAnswer = state.answers.some((one) => one.key === key)
  if (key === 'n' && !burst && !isAnswer) return { state, closed: true }
  if (text !== '' && (burst || !isAnswer)) return { state, closed: true, passed: true }
  if (burst) return { state }
  if (key === 'escape') return { state, closed: true }
  const answer = openChoices(state).find((one) => one.key === key || one.also?.includes(key))
  return answer ? { state, key: answer.key, stays: answer.stays === true } : { state }
}

/** Returns true if the key gives an answer now and is one that the screen does not show (`also`). */
export const hasAnswerKey = (state: ChoiceDialog, key: string): boolean =>
  openChoices(state).some(({ also }) => also?.includes(key))

export const openChoices = ({ answers, pager }: ChoiceDialog): readonly DialogAnswer[] =>
  answers.filter(({ isLast }) => isLast !== true || isRead(pager))

/** A dialog in which the user types one line, such as a word that confirms or a secret key. */
export interface EntryDialog {
  readonly title: string
  readonly lines: readonly string[]
  readonly text: string
  readonly isSecret: boolean
}

export function pressEntryKey(
  state: EntryDialog,
  press: KeyPress,
): { state: EntryDialog; entered?: string; closed?: boolean } {
  if (press.key === 'escape') return { state, closed: true }
  if (press.key === 'enter') return press.burst ? { state } : { state, entered: state.text.trim() }
  return { state: { ...state, text: editLine(state.text, press) } }
}
