// The possible answers to an approval and the effect of each key. The functions are pure.
import { isRead, type Pager, scrollBy } from '../terminal/pager.ts'

/**
 * An answer to an approval. `parts` means that the user answers each part of a command that
 * needs approval separately.
 */
export type ApprovalChoice = 'once' | 'always' | 'deny' | 'explain' | 'parts'

interface ChoiceLabel {
  choice: ApprovalChoice
  /** The letter that gives the answer. Letter and number stay the same if fewer answers are offered. */
  key: string
  number: string
  label: string
}

const labels: readonly ChoiceLabel[] = [
  { choice: 'once', key: 'y', number: '1', label: 'Allow once' },
  { choice: 'always', key: 'a', number: '2', label: 'Always allow here' },
  { choice: 'deny', key: 'n', number: '3', label: 'Deny' },
  { choice: 'explain', key: 'd', number: '4', label: 'Deny and say why' },
  { choice: 'parts', key: 'p', number: '5', label: 'Answer part by part' },
]

export interface ChoiceState {
  pager: Pager
  offered: readonly ChoiceLabel[]
  selected: ApprovalChoice
}

/**
 * Returns the initial state of an approval's answers: "once", "deny" and the passed `choices`.
 * "Deny" is selected.
 */
export function openChoice(pager: Pager, choices: readonly ApprovalChoice[]): ChoiceState {
  const isThere = ({ choice }: ChoiceLabel) =>
    choice === 'once' || choice === 'deny' || choices.includes(choice)
  return { pager, offered: labels.filter(isThere), selected: 'deny' }
}

/**
 * Returns true if the user can give this answer now. An answer that allows the call is possible only after
 * all lines were shown.
 */
export function isOpen({ pager }: Pick<ChoiceState, 'pager'>, choice: ApprovalChoice): boolean {
  return choice === 'deny' || choice === 'explain' || isRead(pager)
}

type KeyOutcome = { state: ChoiceState } | { answer: ApprovalChoice } | { stop: true }

/**
 * Returns the effect of a key. `burst` means that the key arrived together with others, as in a paste; such a
 * key gives no answer, but Ctrl-C still ends the run.
 */
export function applyKey(
  state: ChoiceState,
  key: { name: string; ctrl: boolean; burst: boolean },
): KeyOutcome {
  const name = key.name.toLowerCase()
  if (key.ctrl) return name === 'c' ? { stop: true } : { state }
  if (name === 'escape') return key.burst ? { state } : { answer: 'deny' }
  const { pager, offered, selected } = state
  const scrolled = (rows: number) => ({ state: { ...state, pager: scrollBy(pager, rows) } })
  const page = Math.max(1, pager.height - 1)
  if (name === 'space' || name === ' ' || name === 'pagedown') return scrolled(page)
  if (name === 'b' || name === 'pageup') return scrolled(-page)
  if (name === 'home') return scrolled(Number.NEGATIVE_INFINITY)
  if (name === 'end') return scrolled(isRead(pager) ? Number.POSITIVE_INFINITY : page)
  if (!isRead(pager)) {
    if (name === 'down') return scrolled(1)
    if (name === 'up') return scrolled(-1)
    if (name === 'return' || name === 'enter') return scrolled(page)
  }
  if (name === 'down' || name === 'up') {
    const at = offered.findIndex(({ choice }) => choice === selected) + (name === 'down' ? 1 : -1)
    const next = offered[(at + offered.length) % offered.length]
    return { state: { ...state, selected: next?.choice ?? 'deny' } }
  }
  const isEnter = name === 'return' || name === 'enter'
  const named = offered.find(({ choice, key, number }) =>
    isEnter ? choice === selected : name === key || name === number,
  )
  if (!named || key.burst || !isOpen(state, named.choice)) return { state }
  return { answer: named.choice }
}
