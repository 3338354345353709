// A questionnaire as one form: options by number, words of the person's own. Pure; nothing is preselected.
import type { QuestionAnswer } from '../../session/commands.ts'
import type { UserQuestion, UserQuestionnaire } from '../../tool/ask.ts'
import type { KeyPress } from '../input/key-press.ts'
import { isBlindKey } from './dialog-focus.ts'
import { editLine } from './line-edit.ts'

export interface QuestionDialog {
  readonly call: string
  readonly questionnaire: UserQuestionnaire
  /** The question whose options the numbers stand for. */
  readonly at: number
  /** By the id of the question. */
  readonly answers: ReadonlyMap<string, { option?: string; text?: string }>
  /** An own answer that is being written. */
  readonly words: string | undefined
  /** Rows that were scrolled past. */
  readonly top: number
  readonly note: string
  readonly openedAt: number
}

type QuestionEffect = { kind: 'answer'; answer: QuestionAnswer } | { kind: 'later'; passed: boolean }

interface QuestionOutcome {
  state: QuestionDialog
  effect?: QuestionEffect
}

export function openQuestionDialog(
  { call, questionnaire }: { call: string; questionnaire: UserQuestionnaire },
  now: number,
): QuestionDialog {
  const state = { call, questionnaire, answers: new Map(), words: undefined, note: '', openedAt: now }
  return { ...state, at: 0, top: 0 }
}

/** Enter goes to the next question that is open, and sends once all that are required have an answer. */
export function pressQuestionKey(state: QuestionDialog, press: KeyPress, now: number): QuestionOutcome {
  if (isBlindKey(state.openedAt, now)) return { state, effect: { kind: 'later', passed: true } }
  if (state.words !== undefined) return writeAnswer(state, state.words, press)
  if (press.burst) return { state }
  const { key } = press
  const count = state.questionnaire.questions.length
  if (key === 'escape') return { state, effect: { kind: 'later', passed: false } }
  if (key === 'x') return { state, effect: { kind: 'answer', answer: { status: 'dismissed' } } }
  if (key === 'enter') return sendOrGoOn(state)
  if (key === 'down' || key === 'tab') return moveTo(state, (state.at + 1) % count)
  if (key === 'up' || key === 'shift-tab') return moveTo(state, (state.at + count - 1) % count)
  if (key === 'pagedown') return { state: { ...state, top: state.top + 5 } }
  if (key === 'pageup') return { state: { ...state, top: Math.max(0, state.top - 5) } }
  const question = state.questionnaire.questions[state.at]
  if (!question) return { state }
  if (key === 't' && question.allowFreeform)
    return { state: { ...state, words: textOf(state, question), note: '' } }
  const option = /^[1-9]$/.test(key) ? question.options[Number(key) - 1] : undefined
  return option ? { state: putAnswer(state, question, { option: option.id }) } : { state }
}

const textOf = (state: QuestionDialog, { id }: UserQuestion) => state.answers.get(id)?.text ?? ''
const moveTo = (state: QuestionDialog, at: number) => ({ state: { ...state, at, top: 0, note: '' } })

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
  if (press.key !== 'enter' || press.burst) return { state: { ...state, words: editLine(words, press) } }
  const text = words.trim()
  return { state: putAnswer(state, question, text === '' ? undefined : { text }) }
}

function sendOrGoOn(state: QuestionDialog): QuestionOutcome {
  const { questions } = state.questionnaire
  const isAnswered = ({ id }: UserQuestion) => state.answers.has(id)
  const missing = questions.findIndex((question) => question.required && !isAnswered(question))
  if (missing >= 0) {
    const note = 'this one needs an answer'
    return {
      state: {
        ...state,
        at: missing,
        top: 0,
        note: missing === state.at || state.answers.size > 0 ? note : '',
      },
    }
  }
  if (state.answers.size === 0) return { state: { ...state, note: 'nothing is answered yet; x dismisses' } }
  const answers = questions.flatMap(({ id }) => {
    const answer = state.answers.get(id)
    return answer ? [{ id, ...answer }] : []
  })
  return { state, effect: { kind: 'answer', answer: { status: 'answered', answers } } }
}
