// A question of the screen's own about some lines: each answer has a key, and none is preselected. Pure.
import type { KeyPress } from '../input/key-press.ts'
import { isRead, openPager, type Pager, scrollBy } from '../terminal/pager.ts'
import type { ScreenRow } from '../terminal/rows.ts'
import { editLine } from './line-edit.ts'

export interface DialogAnswer {
  key: string
  label: string
  /** Counts only once the end of the lines was shown. */
  isLast?: boolean
  /** It only shows something: the question stays. */
  stays?: boolean
}

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

/** `key` of the answer that was given; `closed` by Escape. */
export function pressChoiceKey(
  state: ChoiceDialog,
  { key, burst = false }: KeyPress,
): { state: ChoiceDialog; key?: string; closed?: boolean; stays?: boolean } {
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
  if (burst) return { state }
  if (key === 'escape') return { state, closed: true }
  const answer = openChoices(state).find((one) => one.key === key)
  return answer ? { state, key, stays: answer.stays === true } : { state }
}

export const openChoices = ({ answers, pager }: ChoiceDialog): readonly DialogAnswer[] =>
  answers.filter(({ isLast }) => isLast !== true || isRead(pager))

/** A line that is typed into a dialog: a word that confirms, or a key that nobody is to see. */
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
