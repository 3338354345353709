// A questionnaire as one form with options and free text. No answer is preselected. The functions are pure.
import type { QuestionAnswer } from '../../session/commands.ts'
import type { UserQuestion, UserQuestionnaire } from '../../tool/ask.ts'
import { type KeyPress, showKey } from '../input/key-press.ts'
import { isBlindKey, notShown } from './dialog-focus.ts'
import { editLine } from './line-edit.ts'

export interface QuestionDialog {
  readonly call: string
  readonly questionnaire: UserQuestionnaire
  /** Index of the question that the form shows and that keys answer. */
  readonly at: number
  /** The answers of the user, by question id. */
  readonly answers: ReadonlyMap<string, { option?: string; text?: string }>
  /** The free-text answer while the user types it; undefined at other times. */
  readonly words: string | undefined
  /** All typed texts by question id, including those that a picked option has replaced. */
  readonly drafts: ReadonlyMap<string, string>
  /** The letters that the user typed to find an option, since another key or the start. */
  readonly typed: string
  /** Number of rows that are scrolled out at the top; undefined to keep the picked option visible. */
  readonly top: number | undefined
  readonly note: string
  /**
   * Time, in milliseconds since 1970, at which the terminal received the first frame with the
   * form, else `notShown`.
   */
  readonly shownAt: number
}

/**
 * The effect of a key. `later` postpones the form; `passed` then means that the key belongs to the editor,
 * after the letters in `typed`.
 */
type QuestionEffect =
  | { kind: 'answer'; answer: QuestionAnswer }
  | { kind: 'later'; passed: boolean; typed?: string }

interface QuestionOutcome {
  state: QuestionDialog
  effect?: QuestionEffect
}

export function openQuestionDialog({
  call,
  questionnaire,
}: {
  call: string
  questionnaire: UserQuestionnaire
}): QuestionDialog {
  const answers = { answers: new Map(), words: undefined, drafts: new Map(), typed: '' }
  return goTo({ call, questionnaire, ...answers, at: 0, top: 0, note: '', shownAt: notShown }, 0)
}

/**
 * Returns the form after a key. Enter moves to the next later question without an answer. After the last one
 * it sends the answers, unless a required answer or every answer is missing; in the text field of one of
 * several questions it only stores the text. Escape postpones the form, as do a key that comes too early and
 * letters that fit no option.
 */
export function pressQuestionKey(state: QuestionDialog, press: KeyPress, now: number): QuestionOutcome {
  if (isBlindKey(state.shownAt, now)) return { state, effect: { kind: 'later', passed: true } }
  const question = state.questionnaire.questions[state.at]
  if (press.key === 'escape') return { state, effect: { kind: 'later', passed: false } }
  if (press.key === dismissKey(state) && !press.burst)
    return { state, effect: { kind: 'answer', answer: { status: 'dismissed' } } }
  if (!question) return { state }
  if (state.words !== undefined) return writeAnswer(state, question, state.words, press)
  if (press.key === 'enter') return press.burst ? { state } : sendOrGoOn(state)
  const picked = pickAnswer(state, question, press)
  return picked ? { state: picked } : leaveTyped(state, question)
}

/**
 * Leaves the form to the editor, which gets the letters that fit no option. A choice made by these letters is
 * removed, because the user meant something else.
 */
function leaveTyped(state: QuestionDialog, question: UserQuestion): QuestionOutcome {
  const { typed } = state
  return {
    state: typed === '' ? state : putAnswer(state, question, undefined),
    effect: { kind: 'later', passed: true, typed },
  }
}

/**
 * Returns the key that dismisses the form: `x`, or `ctrl-x` if the user has typed letters or an answer to the
 * current question may begin with x.
 */
export function dismissKey({ questionnaire, at, typed }: QuestionDialog): 'x' | 'ctrl-x' {
  if (typed !== '') return 'ctrl-x'
  const question = questionnaire.questions[at]
  const isLetter = question?.allowFreeform || question?.options.some(({ label }) => /^x/i.test(label))
  return isLetter ? 'ctrl-x' : 'x'
}

/**
 * Returns the form after a key that picks or removes an answer, begins a text, scrolls or shows another
 * question; undefined after letters that fit no option.
 */
function pickAnswer(
  state: QuestionDialog,
  question: UserQuestion,
  press: KeyPress,
): QuestionDialog | undefined {
  const { key, text, burst } = press
  const { options } = question
  const hasOptions = options.length > 0
  const step = hasOptions ? sideSteps[key] : (sideSteps[key] ?? steps[key])
  if (step !== undefined) return goTo(state, turnBy(state, step))
  if (key === 'up' || key === 'down') return moveChoice(state, question, key === 'up' ? -1 : 1)
  if (key === 'pagedown') return { ...state, top: (state.top ?? 0) + 2 }
  if (key === 'pageup') return { ...state, top: Math.max(0, (state.top ?? 0) - 2) }
  const answer = state.answers.get(question.id)
  if (key === 'backspace')
    return answer?.text === undefined
      ? putAnswer(state, question, undefined)
      : { ...state, words: editLine(answer.text, press), note: '' }
  // In keys that arrive together, a digit begins a pasted answer if one may be typed.
  const isNumber = /^[1-9]$/.test(key) && !(burst && question.allowFreeform)
  const option = isNumber ? options[Number(key) - 1] : undefined
  if (option) return putAnswer(state, question, { option: option.id })
  if (text === '' || (text.trim() === '' && (question.allowFreeform || state.typed === ''))) return state
  if (!question.allowFreeform) return findOption(state, question, text)
  return { ...state, words: editLine(draftOf(state, question), press), note: '' }
}

const draftOf = ({ drafts }: QuestionDialog, { id }: UserQuestion) => drafts.get(id) ?? ''
const steps: Readonly<Record<string, number>> = { down: 1, up: -1 }
const sideSteps: Readonly<Record<string, number>> = { tab: 1, 'shift-tab': -1, right: 1, left: -1 }
const turnBy = ({ at, questionnaire: { questions } }: QuestionDialog, step: number) =>
  (at + questions.length + step) % questions.length

/** Moves the selection. The text field follows the last option if the question allows text. */
function moveChoice(state: QuestionDialog, question: UserQuestion, step: number): QuestionDialog {
  const { options, allowFreeform, id } = question
  const answer = state.answers.get(id)
  const last = options.length - 1
  const now = options.findIndex((option) => option.id === answer?.option)
  const isOwn = answer?.text !== undefined
  const next = isOwn ? (step < 0 ? last : last + 1) : now < 0 && step < 0 ? last : now + step
  if (next > last && allowFreeform) return { ...state, words: draftOf(state, question), note: '' }
  const option = options[Math.max(0, Math.min(last, next))]
  return option ? putAnswer(state, question, { option: option.id }) : state
}

/**
 * Picks the first option whose label begins with the typed letters, ignoring case. Without a match, leaves
 * out letters from the start until a label matches. Returns undefined if not even the last letter matches.
 */
function findOption(state: QuestionDialog, question: UserQuestion, text: string): QuestionDialog | undefined {
  const typed = state.typed + text
  const starts = (letters: string) =>
    letters.trim() === ''
      ? undefined
      : question.options.find(({ label }) => label.toLowerCase().startsWith(letters.toLowerCase()))
  const ends = Array.from({ length: state.typed.length + 1 }, (_, i) => typed.slice(i))
  const option = ends.map(starts).find((match) => match !== undefined)
  return option && { ...putAnswer(state, question, { option: option.id }), typed }
}

/**
 * Returns the form at another question. An unanswered question without options starts with the text field.
 */
function goTo(state: QuestionDialog, at: number, note = ''): QuestionDialog {
  const question = state.questionnaire.questions[at]
  const isText = question !== undefined && question.options.length === 0 && question.allowFreeform
  const words = isText && !state.answers.has(question.id) ? draftOf(state, question) : undefined
  return { ...state, at, top: 0, note, words, typed: '' }
}

/**
 * Returns the index of the first unanswered question after the current one; undefined if no later
 * one is unanswered.
 */
function nextOpen({ questionnaire, answers, at }: QuestionDialog): number | undefined {
  const next = questionnaire.questions.findIndex(({ id }, i) => i > at && !answers.has(id))
  return next < 0 ? undefined : next
}

/** Returns the words for the current effect of Enter, as the form shows them. */
export function enterLabel(state: QuestionDialog): string {
  const isAlone = state.questionnaire.questions.length === 1
  if (state.words !== undefined) return isAlone ? 'Enter sends' : 'Enter saves it'
  return nextOpen(state) === undefined ? 'Enter sends' : 'Enter next'
}

function putAnswer(
  state: QuestionDialog,
  { id }: UserQuestion,
  answer: { option?: string; text?: string } | undefined,
): QuestionDialog {
  const others = [...state.answers].filter(([key]) => key !== id)
  const answers = new Map(answer ? [...others, [id, answer] as const] : others)
  return { ...state, answers, words: undefined, note: '', typed: '', top: undefined }
}

/**
 * Returns the form after a key in the text field. The text stays as a draft if the user picks
 * an option instead.
 */
function writeAnswer(
  state: QuestionDialog,
  question: UserQuestion,
  words: string,
  press: KeyPress,
): QuestionOutcome {
  const { key, burst } = press
  const text = words.trim()
  const draftState = { ...state, drafts: new Map(state.drafts).set(question.id, text) }
  const last = question.options.at(-1)
  if (last && key === 'up') return { state: putAnswer(draftState, question, { option: last.id }) }
  if (last && key === 'backspace' && words === '')
    return { state: putAnswer(draftState, question, undefined) }
  const step =
    key === 'left' || key === 'right' ? undefined : (sideSteps[key] ?? (last ? undefined : steps[key]))
  if (burst || (key !== 'enter' && step === undefined))
    return { state: { ...state, words: editLine(words, press) } }
  if (step !== undefined) {
    const saved =
      text === '' ? { ...draftState, words: undefined } : putAnswer(draftState, question, { text })
    return { state: goTo(saved, turnBy(state, step)) }
  }
  const saved = putAnswer(draftState, question, text === '' ? undefined : { text })
  if (text !== '' && state.questionnaire.questions.length === 1) return sendOrGoOn(saved)
  const next = nextOpen(saved)
  return { state: next === undefined ? saved : goTo(saved, next) }
}

function sendOrGoOn(state: QuestionDialog): QuestionOutcome {
  const { questions } = state.questionnaire
  const next = nextOpen(state)
  if (next !== undefined) return { state: goTo(state, next) }
  const isAnswered = ({ id }: UserQuestion) => state.answers.has(id)
  const missing = questions.findIndex((question) => question.required && !isAnswered(question))
  if (missing >= 0) return { state: goTo(state, missing, 'this one needs an answer') }
  if (state.answers.size === 0)
    return { state: { ...state, note: `choose an answer first, or ${showKey(dismissKey(state))} to skip` } }
  const answers = questions.flatMap(({ id }) => {
    const answer = state.answers.get(id)
    return answer ? [{ id, ...answer }] : []
  })
  return { state, effect: { kind: 'answer', answer: { status: 'answered', answers } } }
}
