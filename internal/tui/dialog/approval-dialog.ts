// The dialog about a call that waits for an answer: which key does what. Pure; nothing is preselected, and no
// answer that allows is taken before the end of what is asked was shown.

import type { PermissionAnswer } from '../../session/commands.ts'
import { listOfferChoices, readOffers } from '../../session/permission-offers.ts'
import type { PendingPermission } from '../../session/snapshot.ts'
import type { KeyPress } from '../input/key-press.ts'
import type { LazyList } from '../terminal/lazy-list.ts'
import { isRead, openPager, type Pager, rebreakPager, scrollBy } from '../terminal/pager.ts'
import type { ScreenRow } from '../terminal/rows.ts'
import { isBlindKey, notShown } from './dialog-focus.ts'
import { editLine } from './line-edit.ts'

export interface ApprovalDialog {
  readonly asked: PendingPermission
  readonly pager: Pager
  /** When the terminal has taken the first frame that shows it as it is known now, else `notShown`. */
  readonly shownAt: number
  /** The words of a denial that is being written; undefined while keys are answers. */
  readonly words: string | undefined
  /** Which of the choices of rules the wider answers keep. */
  readonly kept: number
  /** Parts of the line that may not run: as long as there is one nothing allows. */
  readonly denied: readonly number[]
}

export type ApprovalEffect =
  | { kind: 'answer'; answer: PermissionAnswer }
  /** It goes on waiting; `passed`: the key was meant for the editor. */
  | { kind: 'later'; passed: boolean }
  /** Shows all of it on a page of its own. */
  | { kind: 'page' }

/** What is asked in rows, and how many of them are shown at once. */
interface ApprovalLayout {
  rows: Iterable<ScreenRow> | LazyList<ScreenRow>
  height: number
}

interface ApprovalOutcome {
  state: ApprovalDialog
  effect?: ApprovalEffect
  /** The key is none of the dialog's, or has nothing left to show: whoever has pressed it meant an answer. */
  isUnknown?: true
}

export function openApprovalDialog(asked: PendingPermission, layout: ApprovalLayout): ApprovalDialog {
  return {
    asked,
    pager: openPager(layout.rows, layout.height),
    shownAt: notShown,
    words: undefined,
    kept: 0,
    denied: [],
  }
}

/** The same dialog at another size; a line that was seen in part has to be seen again. */
export function resizeApprovalDialog(state: ApprovalDialog, layout: ApprovalLayout): ApprovalDialog {
  return { ...state, pager: rebreakPager(state.pager, layout.rows, layout.height) }
}

/** The same call, about which more is known now: what was not there has to be seen. */
export function updateApprovalDialog(
  state: ApprovalDialog,
  asked: PendingPermission,
  layout: ApprovalLayout,
): ApprovalDialog {
  if (asked === state.asked) return state
  const { words, kept, denied } = state
  return { ...openApprovalDialog(asked, layout), words, kept, denied }
}

/**
 * Answers that a key gives now: none that allows before the end was shown or while a part is denied, no rule
 * where none is offered.
 */
export function openAnswers({ asked, pager, denied }: Pick<ApprovalDialog, 'asked' | 'pager' | 'denied'>): {
  key: string
  label: string
  allows: boolean
}[] {
  const canAllow = isRead(pager) && denied.length === 0
  const canKeep = canAllow && asked.always !== undefined
  const numbers = denied.map((at) => at + 1).join(', ')
  const what = denied.length === 0 ? '' : ` part${denied.length > 1 ? 's' : ''} ${numbers}`
  const answers = [
    { key: 'y', label: 'once', allows: true, isOpen: canAllow },
    { key: 's', label: 'this session', allows: true, isOpen: canKeep },
    { key: 'a', label: 'this workspace', allows: true, isOpen: canKeep },
    { key: 'n', label: `deny${what}`, allows: false, isOpen: true },
    { key: 'd', label: 'deny with words', allows: false, isOpen: true },
    { key: 'D', label: 'deny and stop', allows: false, isOpen: true },
  ]
  return answers.flatMap(({ isOpen, ...answer }) => (isOpen ? [answer] : []))
}

/** The plainest answers of now, for whoever presses a key that is none. */
export function describeAnswers(state: ApprovalDialog): string {
  const canAllow = openAnswers(state).some(({ allows }) => allows)
  const first = canAllow ? ['y allows'] : isRead(state.pager) ? [] : ['Space shows the rest']
  return [...first, 'n denies'].join(', ')
}

/** Keys that change what an answer would mean, with what they stand at now. */
export function openToggles(state: ApprovalDialog): { key: string; label: string }[] {
  const { asked, pager, kept, denied } = state
  const choices = listOfferChoices(readOffers(asked).length)
  const canChoose = choices.length > 1 && isRead(pager) && denied.length === 0
  const numbers = (choices[kept] ?? []).map((at) => at + 1).join(', ')
  const label = kept === 0 ? 'keep one rule only' : `now rule ${numbers} only`
  const parts = Math.min(asked.parts?.length ?? 0, 9)
  return [
    ...(canChoose ? [{ key: 'o', label }] : []),
    ...(parts > 1 ? [{ key: `1-${parts}`, label: 'deny one part' }] : []),
  ]
}

/** The state after a key that only changes what answers mean; undefined for all other keys. */
function toggle(state: ApprovalDialog, key: string): ApprovalDialog | undefined {
  const { asked, kept, denied } = state
  const at = /^[1-9]$/.test(key) ? Number(key) - 1 : -1
  if (asked.parts?.[at]) {
    const others = denied.filter((one) => one !== at)
    const next = others.length < denied.length ? others : [...denied, at].sort((a, b) => a - b)
    return { ...state, denied: next }
  }
  if (key !== 'o' || !openToggles(state).some((one) => one.key === key)) return undefined
  return { ...state, kept: (kept + 1) % listOfferChoices(readOffers(asked).length).length }
}

function answerOf({ asked, kept, denied }: ApprovalDialog, key: string): PermissionAnswer | undefined {
  const rules = listOfferChoices(readOffers(asked).length)[kept] ?? []
  switch (key) {
    case 'y':
      return { allow: true, scope: 'once', rules: [] }
    case 's':
      return { allow: true, scope: 'session', rules }
    case 'a':
      return { allow: true, scope: 'workspace', rules }
    case 'n':
      return { allow: false, ...partsOf(denied) }
    case 'D':
      return { allow: false, ...partsOf(denied), stop: true }
    default:
      return undefined
  }
}

const partsOf = (denied: readonly number[]) => (denied.length > 0 ? { parts: [...denied] } : {})

export function pressApprovalKey(state: ApprovalDialog, press: KeyPress, now: number): ApprovalOutcome {
  if (state.words !== undefined) return writeWords(state, state.words, press)
  if (isBlindKey(state.shownAt, now)) return { state, effect: { kind: 'later', passed: true } }
  const { key } = press
  const moved = scrollKey(state.pager, key)
  if (moved && moved !== state.pager) return { state: { ...state, pager: moved } }
  if (moved) return { state, ...(key === 'enter' && unknown) }
  // pasted letters are no answers
  if (press.burst) return { state }
  if (key === 'escape') return { state, effect: { kind: 'later', passed: false } }
  if (key === 'v') return { state, effect: { kind: 'page' } }
  const changed = toggle(state, key)
  if (changed) return { state: changed }
  if (!openAnswers(state).some((answer) => answer.key === key)) return { state, ...unknown }
  if (key === 'd') return { state: { ...state, words: '' } }
  const answer = answerOf(state, key)
  return answer ? { state, effect: { kind: 'answer', answer } } : { state }
}

const unknown = { isUnknown: true } as const

/** Enter turns the page where there is more; it never answers. */
function scrollKey(pager: Pager, key: string): Pager | undefined {
  const page = Math.max(1, pager.height - 1)
  switch (key) {
    case 'up':
      return scrollBy(pager, -1)
    case 'down':
      return scrollBy(pager, 1)
    case 'space':
    case 'pagedown':
    case 'enter':
      return scrollBy(pager, page)
    case 'pageup':
    case 'b':
      return scrollBy(pager, -page)
    case 'home':
      return scrollBy(pager, Number.NEGATIVE_INFINITY)
    case 'end':
      return scrollBy(pager, isRead(pager) ? Number.POSITIVE_INFINITY : page)
    default:
      return undefined
  }
}

function writeWords(state: ApprovalDialog, words: string, press: KeyPress): ApprovalOutcome {
  if (press.key === 'escape') return { state: { ...state, words: undefined } }
  if (press.key === 'enter' && !press.burst) {
    const reason = words.trim()
    const given = reason === '' ? {} : { words: reason }
    const answer: PermissionAnswer = { allow: false, ...partsOf(state.denied), ...given }
    return { state, effect: { kind: 'answer', answer } }
  }
  return { state: { ...state, words: editLine(words, press) } }
}
