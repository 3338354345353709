// The answers that a client sends as JSON lines for open questionnaires. Each answer is validated with the
// questions that it names.
import type { AnsweredQuestion, UserQuestion, UserReply } from '../../../internal/tool/ask.ts'

/** An open questionnaire, with its answer once it has arrived. */
export interface AskedQuestions {
  questions: readonly UserQuestion[]
  reply: UserReply | undefined
}

type AnswerLine = Readonly<Record<string, unknown>>

/**
 * Stores the answer that a line contains for the open question set `request_id`. `answers` answers questions
 * by `id`, or else `text` or `option` answers the first one; `dismissed: true` answers none. Calls `ignored`
 * with the reason if no such set is open, it has an answer already, or the line is invalid.
 */
export function takeAnswer(
  line: AnswerLine,
  openQuestions: ReadonlyMap<string, AskedQuestions>,
  ignored: (why: string) => void,
): void {
  const { request_id: id } = line
  const waiting = typeof id === 'string' ? openQuestions.get(id) : undefined
  const problem = waiting ? keepAnswer(line, waiting) : 'no such question is open'
  if (problem !== undefined) ignored(`an answer for ${JSON.stringify(id ?? null)} was ignored: ${problem}`)
}

/**
 * Stores the answer and returns undefined, or returns the reason why it is refused: it is invalid, or an
 * answer was stored before.
 */
function keepAnswer(
  { dismissed, answers, ...line }: AnswerLine,
  waiting: AskedQuestions,
): string | undefined {
  const { questions } = waiting
  if (waiting.reply) return 'it is the second one'
  const answerLines = Array.isArray(answers) ? (answers as AnswerLine[]) : [{ ...line, id: questions[0]?.id }]
  const read = dismissed === true ? [] : answerLines.map((one) => readAnswer(one, questions))
  const problem = read.find((one) => typeof one === 'string')
  if (problem !== undefined) return problem
  waiting.reply =
    dismissed === true ? { status: 'dismissed' } : { status: 'answered', answers: read as AnsweredQuestion[] }
  return undefined
}

/**
 * Returns the answer to the question with the given id, or the reason why the answer is invalid. An option
 * matches by id or label. `text` is free text if the question allows it, otherwise it names an option, too.
 */
function readAnswer(answerLine: AnswerLine, questions: readonly UserQuestion[]): AnsweredQuestion | string {
  const question = questions.find(({ id }) => id === answerLine?.id)
  if (!question) return `unknown question: ${JSON.stringify(answerLine?.id ?? null)}`
  const { id, options, allowFreeform } = question
  const value = answerLine.option ?? answerLine.text
  if (typeof value !== 'string' || value === '') return 'it has neither `option` nor `text`, nor `dismissed`'
  const option = options.find((one) => one.id === value) ?? options.find((one) => one.label === value)
  if (option && (answerLine.option !== undefined || !allowFreeform)) return { id, option: option.id }
  if (answerLine.option === undefined && allowFreeform) return { id, text: value }
  return `${JSON.stringify(value)} is not one of ${options.map((one) => one.id).join(', ')}`
}
