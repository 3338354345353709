// The dialog about a call that needs approval, with the effect of each key. The functions are pure. No answer
// is preselected. Answers that allow the call are available only after the last line was shown.

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
  /**
   * Time, in milliseconds since 1970, at which the terminal received the first frame with the current content
   * of the dialog, else `notShown`.
   */
  readonly shownAt: number
  /** The message of a denial while the user types it; undefined while keys are answers. */
  readonly words: string | undefined
  /**
   * Index, in the list of `listOfferChoices`, of the rules that the answers "session" and "workspace" store:
   * 0 for all offered rules together, a higher index for a single rule.
   */
  readonly kept: number
  /** Indexes of the command's parts that may not run. While there is one, the user cannot allow the call. */
  readonly denied: readonly number[]
}

export type ApprovalEffect =
  /** The effect is an answer. With `mode`, the session changes to this mode first. */
  | { kind: 'answer'; answer: PermissionAnswer; mode?: 'edits' }
  /** Postpones the dialog. `passed` means that the key belongs to the editor. */
  | { kind: 'later'; passed: boolean }
  /** Opens the complete request as a page. */
  | { kind: 'page' }

/** The rows of the request, and the number of rows that are visible at once. */
interface ApprovalLayout {
  rows: Iterable<ScreenRow> | LazyList<ScreenRow>
  height: number
}

interface ApprovalOutcome {
  state: ApprovalDialog
  effect?: ApprovalEffect
  /**
   * True if the key has no meaning in the dialog. The user probably meant an answer, so a hint
   * lists the answers.
   */
  isUnknown?: true
}

export function openApprovalDialog(permission: PendingPermission, layout: ApprovalLayout): ApprovalDialog {
  return {
    asked: permission,
    pager: openPager(layout.rows, layout.height),
    shownAt: notShown,
    words: undefined,
    kept: 0,
    denied: [],
  }
}

/**
 * Returns the dialog for another size of the screen. A line that was shown only in part must be shown again.
 */
export function resizeApprovalDialog(state: ApprovalDialog, layout: ApprovalLayout): ApprovalDialog {
  return { ...state, pager: rebreakPager(state.pager, layout.rows, layout.height) }
}

/**
 * Returns the dialog with newer facts about the same call. The user can allow the call only after these
 * facts were shown.
 */
export function updateApprovalDialog(
  state: ApprovalDialog,
  permission: PendingPermission,
  layout: ApprovalLayout,
): ApprovalDialog {
  if (permission === state.asked) return state
  const { words, kept: ruleChoice, denied } = state
  return { ...openApprovalDialog(permission, layout), words, kept: ruleChoice, denied }
}

/**
 * Returns the answers that keys can give now. Answers that allow the call are possible only after the last
 * line was shown and if no part is denied. Answers that store a rule also need an offered rule, and the
 * answer for all edits needs a call that edits files.
 */
export function openAnswers({
  asked: permission,
  pager,
  denied,
}: Pick<ApprovalDialog, 'asked' | 'pager' | 'denied'>): {
  key: string
  label: string
  allows: boolean
}[] {
  const canAllow = isRead(pager) && denied.length === 0
  const canKeep = canAllow && readOffers(permission).length > 0
  const numbers = denied.map((at) => at + 1).join(', ')
  const what = denied.length === 0 ? '' : ` part${denied.length > 1 ? 's' : ''} ${numbers}`
  const answers = [
    { key: 'y', label: 'once', allows: true, isOpen: canAllow },
    { key: 's', label: 'this session', allows: true, isOpen: canKeep },
    { key: 'a', label: 'this workspace', allows: true, isOpen: canKeep },
    {
      key: 'e',
      label: 'all edits in this session',
      allows: true,
      isOpen: canAllow && permission.edits === true,
    },
    { key: 'n', label: `deny${what}`, allows: false, isOpen: true },
    { key: 'd', label: 'deny with message', allows: false, isOpen: true },
    { key: 'D', label: 'deny and stop', allows: false, isOpen: true },
  ]
  return answers.flatMap(({ isOpen, ...answer }) => (isOpen ? [answer] : []))
}

/** Returns a hint with the basic answers, for a user who presses an unknown key. */
export function describeAnswers(state: ApprovalDialog): string {
  const canAllow = openAnswers(state).some(({ allows }) => allows)
  const first = canAllow ? ['y allows'] : isRead(state.pager) ? [] : ['Space shows the rest']
  return [...first, 'n denies'].join(', ')
}

/** Returns the keys that change the meaning of an answer, each with its current state. */
export function openToggles(state: ApprovalDialog): { key: string; label: string }[] {
  const { asked: permission, pager, kept: ruleChoice, denied } = state
  const choices = listOfferChoices(readOffers(permission).length)
  const canChoose = choices.length > 1 && isRead(pager) && denied.length === 0
  const numbers = (choices[ruleChoice] ?? []).map((at) => at + 1).join(', ')
  const label = ruleChoice === 0 ? 'store one rule only' : `now rule ${numbers} only`
  const parts = Math.min(permission.parts?.length ?? 0, 9)
  return [
    ...(canChoose ? [{ key: 'o', label }] : []),
    ...(parts > 1 ? [{ key: `1-${parts}`, label: 'deny one part' }] : []),
  ]
}

/** Returns the dialog after a key that changes the meaning of answers; undefined for other keys. */
function pressToggle(state: ApprovalDialog, key: string): ApprovalDialog | undefined {
  const { asked: permission, kept: ruleChoice, denied } = state
  const at = /^[1-9]$/.test(key) ? Number(key) - 1 : -1
  if (permission.parts?.[at]) {
    const others = denied.filter((one) => one !== at)
    const next = others.length < denied.length ? others : [...denied, at].sort((a, b) => a - b)
    return { ...state, denied: next }
  }
  if (key !== 'o' || !openToggles(state).some((one) => one.key === key)) return undefined
  return { ...state, kept: (ruleChoice + 1) % listOfferChoices(readOffers(permission).length).length }
}

function answerOf(
  { asked: permission, kept: ruleChoice, denied }: ApprovalDialog,
  key: string,
): PermissionAnswer | undefined {
  const rules = listOfferChoices(readOffers(permission).length)[ruleChoice] ?? []
  switch (key) {
    case 'y':
    case 'e':
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
  // Typed or pasted text belongs to the message that the user is writing, so the dialog closes for now.
  if (isTyped(state, press)) return { state, effect: { kind: 'later', passed: true } }
  const moved = scrollKey(state.pager, key)
  if (moved && moved !== state.pager) return { state: { ...state, pager: moved } }
  if (moved) return { state, ...(key === 'enter' && unknown) }
  // Keys that arrive together, as in a paste, do not count as answers.
  if (press.burst) return { state }
  if (key === 'escape') return { state, effect: { kind: 'later', passed: false } }
  if (key === 'v') return { state, effect: { kind: 'page' } }
  const changed = pressToggle(state, key)
  if (changed) return { state: changed }
  if (!openAnswers(state).some((answer) => answer.key === key)) return { state, ...unknown }
  if (key === 'd') return { state: { ...state, words: '' } }
  const answer = answerOf(state, key)
  if (!answer) return { state }
  return {
    state,
    effect: key === 'e' ? { kind: 'answer', answer, mode: 'edits' } : { kind: 'answer', answer },
  }
}

/** All letters that the dialog uses, including those that have no effect now. */
const dialogLetters = new Set('ysaendovb')

/** Returns true if a key is pasted text, or text that has no meaning in the dialog. */
function isTyped({ asked: permission }: ApprovalDialog, { key, text, burst }: KeyPress): boolean {
  if (text.trim() === '') return false
  const isPart = /^[1-9]$/.test(key) && permission.parts !== undefined
  return burst === true || !(dialogLetters.has(key.toLowerCase()) || isPart)
}

const unknown = { isUnknown: true } as const

/**
 * Returns the pager after a key that scrolls; undefined for other keys. Enter shows the next page if there is
 * one, and never gives an answer.
 */
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
    const denialWords = reason === '' ? {} : { words: reason }
    const answer: PermissionAnswer = { allow: false, ...partsOf(state.denied), ...denialWords }
    return { state, effect: { kind: 'answer', answer } }
  }
  return { state: { ...state, words: editLine(words, press) } }
}
