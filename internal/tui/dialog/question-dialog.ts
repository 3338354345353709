// A questionnaire as one form with numbered options and free text. Pure; no answer is preselected.
import type { QuestionAnswer } from '../../session/commands.ts'
import type { UserQuestion, UserQuestionnaire } from '../../tool/ask.ts'
import type { KeyPress } from '../input/key-press.ts'
import { isBlindKey, notShown } from './dialog-focus.ts'
import { editLine } from './line-edit.ts'

export interface QuestionDialog {
  readonly call: string
  readonly questionnaire: UserQuestionnaire
  /** Index of the current question. Number keys pick its options. */
  readonly at: number
  /** The answers by question ID. */
  readonly answers: ReadonlyMap<string, { option?: string; text?: string }>
  /** The free-text answer while the user types it. */
  readonly words: string | undefined
  /** Number of rows that are scrolled out at the top. */
  readonly top: number
  readonly note: string
  /** Time at which the terminal received the first frame with the form, else `notShown`. */
  readonly shownAt: number
}

type QuestionEffect = { kind: 'answer'; answer: QuestionAnswer } | { kind: 'later'; passed: boolean }

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
  const state = { call, questionnaire, answers: new Map(), words: undefined, note: '', shownAt: notShown }
  return goTo({ ...state, at: 0, top: 0 }, 0)
}

/**
 * Applies a key. Enter moves to the next unanswered question. After the last question it sends, unless a
 * required answer is missing.
 */
export function pressQuestionKey(state: QuestionDialog, press: KeyPress, now: number): QuestionOutcome {
  if (isBlindKey(state.shownAt, now)) return { state, effect: { kind: 'later', passed: true } }
  if (state.words !== undefined) return writeAnswer(state, state.words, press)
  if (press.burst) return { state }
  const { key } = press
  const count = state.questionnaire.questions.length
  if (key === 'escape') return { state, effect: { kind: 'later', passed: false } }
  if (key === 'x') return { state, effect: { kind: 'answer', answer: { status: 'dismissed' } } }
  if (key === 'enter') return sendOrGoOn(state)
  const step = steps[key]
  if (step !== undefined) return { state: goTo(state, (state.at + count + step) % count) }
  if (key === 'pagedown') return { state: { ...state, top: state.top + 2 } }
  if (key === 'pageup') return { state: { ...state, top: Math.max(0, state.top - 2) } }
  const question = state.questionnaire.questions[state.at]
  if (!question) return { state }
  if (key === 't' && question.allowFreeform)
    return { state: { ...state, words: textOf(state, question), note: '' } }
  const option = /^[1-9]$/.test(key) ? question.options[Number(key) - 1] : undefined
  return option ? { state: putAnswer(state, question, { option: option.id }) } : { state }
}

const textOf = (state: QuestionDialog, { id }: UserQuestion) => state.answers.get(id)?.text ?? ''
const steps: Readonly<Record<string, number>> = { down: 1, tab: 1, up: -1, 'shift-tab': -1 }

/** Returns the state at another question. An unanswered question without options starts with text input. */
function goTo(state: QuestionDialog, at: number, note = ''): QuestionDialog {
  const question = state.questionnaire.questions[at]
  const isText = question !== undefined && question.options.length === 0 && question.allowFreeform
  const words = isText && !state.answers.has(question.id) ? '' : undefined
  return { ...state, at, top: 0, note, words }
}

/** Returns the index of the first unanswered question after the current one. */
function nextOpen({ questionnaire, answers, at }: QuestionDialog): number | undefined {
  const next = questionnaire.questions.findIndex(({ id }, i) => i > at && !answers.has(id))
  return next < 0 ? undefined : next
}

/** Returns the current effect of Enter, as the form shows it. */
export const enterLabel = (state: QuestionDialog): string =>
  state.words === undefined
    ? nextOpen(state) === undefined
      ? 'Enter sends'
      : 'Enter accepts'
    : 'Enter saves it'

function putAnswer(
  state: QuestionDialog,
  { id }: UserQuestion,
  answer: { option?: string; text?: string } | undefined,
): QuestionDialog {
  const others = [...state.answers].filter(([key]) => key !== id)
  const answers = new Map(answer ? [...others, [id, answer] as const] : others)
  return { ...state, answers, words: undefined, note: '' }
}

function writeAnswer(state: QuestionDialog, words: string, press: KeyPress): QuestionOutcome {
  const question = state.questionnaire.questions[state.at]
  if (!question || press.key === 'escape') return { state: { ...state, words: undefined } }
  const step = steps[press.key]
  if ((press.key !== 'enter' && step === undefined) || press.burst)
    return { state: { ...state, words: editLine(words, press) } }
  const text = words.trim()
  const kept =
    text === '' && step !== undefined ? state : putAnswer(state, question, text === '' ? undefined : { text })
  const count = state.questionnaire.questions.length
  const next = step === undefined ? nextOpen(kept) : (state.at + count + step) % count
  return { state: next === undefined ? kept : goTo(kept, next) }
}

function sendOrGoOn(state: QuestionDialog): QuestionOutcome {
  const { questions } = state.questionnaire
  const next = nextOpen(state)
  if (next !== undefined) return { state: goTo(state, next) }
  const isAnswered = ({ id }: UserQuestion) => state.answers.has(id)
  const missing = questions.findIndex((question) => question.required && !isAnswered(question))
  if (missing >= 0) return { state: goTo(state, missing, 'this one needs an answer') }
  if (state.answers.size === 0) return { state: { ...state, note: 'nothing is answered yet; x dismisses' } }
  const answers = questions.flatMap(({ id }) => {
    const answer = state.answers.get(id)
    return answer ? [{ id, ...answer }] : []
  })
  return { state, effect: { kind: 'answer', answer: { status: 'answered', answers } } }
}
