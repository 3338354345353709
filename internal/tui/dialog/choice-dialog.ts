// A question of the screen about some lines. Each answer has a key, and no answer is preselected. Pure.
import type { KeyPress } from '../input/key-press.ts'
import { isRead, openPager, type Pager, scrollBy } from '../terminal/pager.ts'
import type { ScreenRow } from '../terminal/rows.ts'
import { editLine } from './line-edit.ts'

export interface DialogAnswer {
  key: string
  /** Other keys of the answer, which the screen does not name. */
  also?: readonly string[]
  label: string
  /** Whether the answer counts only after the last line was shown. */
  isLast?: boolean
  /** Whether the answer only shows something, so that the question stays open. */
  stays?: boolean
}

/** Rows of the screen without the lines of a choice: its border and answers, the editor and the status. */
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
 * Returns the state after a key. `key` is the given answer; `closed` means that Escape closed the dialog.
 * `passed` means that typed text closed it, which belongs to the editor. The key `n` closes it as a no.
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

/** Returns whether an answer has this key besides the one that the screen names. */
export const hasAnswerKey = (state: ChoiceDialog, key: string): boolean =>
  openChoices(state).some(({ also }) => also?.includes(key))

export const openChoices = ({ answers, pager }: ChoiceDialog): readonly DialogAnswer[] =>
  answers.filter(({ isLast }) => isLast !== true || isRead(pager))

/** A typed line in a dialog, such as a word that confirms or a secret key. */
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
