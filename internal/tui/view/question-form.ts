// The form of a questionnaire, which shows one open question with its options, and the other questions
// with their answers.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { UserQuestion } from '../../tool/ask.ts'
import { dismissKey, enterLabel, type QuestionDialog } from '../dialog/question-dialog.ts'
import { showKey } from '../input/key-press.ts'
import { breakLines, type SourceLine } from '../terminal/rows.ts'
import { joinWords } from './approval-box.ts'
import { boxCells, countTitleRows, drawTitledBox } from './box.ts'
import { narrowLook, penOfLook } from './look-pen.ts'

/**
 * Returns at most `rows` lines of the form, but always at least two rows of the question with the box and its
 * keys. A longer form scrolls with PgUp and PgDn.
 */
export function drawQuestionForm(state: QuestionDialog, rows: number, look: RenderLook): string[] {
  const inner = narrowLook(look, boxCells)
  const pen = penOfLook(inner)
  const { questions, from } = state.questionnaire
  const open = questions[state.at]
  const lines = open ? openLines(state, open, look.unicode) : []
  const body = breakLines(lines, inner.width, pen).map(({ text }) => text)
  const all = questions.map((question, i) => overviewLine(state, question, i, inner))
  const title = `${from} asks`
  const edges = 2 + countTitleRows({ title }, look)
  const room = rows - edges - keyLines(state, inner).length
  // If both do not have room, the open question is shown and the list of other questions is not.
  const others = questions.length > 1 && all.length + body.length <= room ? all : []
  const isCut = body.length > room
  const keys = isCut ? keyLines(state, inner, ['PgDn PgUp scroll']) : keyLines(state, inner)
  const height = Math.max(2, rows - edges - keys.length - others.length)
  const picked = lines.findIndex(({ isPicked }) => isPicked)
  const end = picked < 0 ? 0 : breakLines(lines.slice(0, picked + 1), inner.width, pen).length
  const top = Math.min(state.top ?? Math.max(0, end - height), Math.max(0, body.length - height))
  const visibleRows = body.slice(top, top + height)
  const givenAnswer = open && isCut ? answerText(state, open) : undefined
  const note = [
    ...(questions.length > 1 ? [`${state.at + 1} of ${questions.length}`] : []),
    ...(givenAnswer === undefined ? [] : [`${markOf(true, look.unicode)} ${sanitizeText(givenAnswer)}`]),
  ].join(', ')
  return drawTitledBox([...others, ...visibleRows, ...keys], { title, note }, look)
}

function overviewLine(state: QuestionDialog, question: UserQuestion, i: number, look: RenderLook): string {
  const pen = penOfLook(look)
  const answer = answerText(state, question)
  const mark = markOf(answer !== undefined, look.unicode)
  const need = answer === undefined && question.required ? '  needs an answer' : ''
  const name = sanitizeText(question.topic ?? question.question)
  const answerSuffix = answer === undefined ? '' : `: ${sanitizeText(answer)}`
  const line = `${i === state.at ? '>' : ' '} ${mark} ${name}${answerSuffix}${need}`
  return pen.paint(i === state.at ? { bold: true } : { dim: true })(pen.clip(line, look.width))
}

const markOf = (isDone: boolean, unicode: boolean) => (unicode ? '○✔' : ['[ ]', '[x]'])[isDone ? 1 : 0]

function answerText(state: QuestionDialog, { id, options }: UserQuestion): string | undefined {
  const answer = state.answers.get(id)
  return answer?.text ?? options.find((option) => option.id === answer?.option)?.label
}

/**
 * Returns the lines of the open question. Its text follows a bar, so that it cannot imitate Anode's own text.
 */
function openLines(
  state: QuestionDialog,
  question: UserQuestion,
  unicode: boolean,
): (SourceLine & { isPicked?: boolean })[] {
  const optionId = state.answers.get(question.id)?.option
  const ownText = state.answers.get(question.id)?.text
  const hasField = question.allowFreeform && question.options.length > 0 && ownText === undefined
  return [
    ...toForeignLines(question.question),
    ...toForeignLines(question.reason ?? '').map((line) => ({ ...line, style: { dim: true } })),
    ...question.options.flatMap(({ id, label, description }, i) => {
      const mark = markOf(id === optionId, unicode)
      const about = description ? `: ${description}` : ''
      const line = toForeignLines(`${mark} ${i < 9 ? i + 1 : '-'} ${sanitizeText(label + about)}`)
      return id === optionId ? line.map((one) => ({ ...one, style: { bold: true }, isPicked: true })) : line
    }),
    ...(hasField && state.words === undefined
      ? [{ text: 'or type your own answer', style: { dim: true } }]
      : []),
    ...(ownText === undefined ? [] : [{ text: `own answer: ${sanitizeText(ownText)}`, isPicked: true }]),
  ]
}

const toForeignLines = (text: string): SourceLine[] =>
  text === ''
    ? []
    : sanitizeText(text, { keepLines: true })
        .split('\n')
        .map((line) => ({ text: line, foreign: true }))

function keyLines(state: QuestionDialog, look: RenderLook, more: readonly string[] = []): string[] {
  const pen = penOfLook(look)
  const dim = pen.paint({ dim: true })
  const question = state.questionnaire.questions[state.at]
  const hasMore = state.questionnaire.questions.length > 1
  const next = hasMore ? ['Tab next'] : []
  const leave = [`${showKey(dismissKey(state))} dismiss`, 'Esc later']
  const options = question?.options.length ?? 0
  if (state.words !== undefined) {
    const field = pen.clip(`> ${state.words}_`, look.width, 'end')
    const keys = [enterLabel(state), ...(options > 0 ? ['Up options'] : []), ...next, ...leave]
    return [field, ...joinWords(keys, pen).map(dim)]
  }
  const keys = [
    ...more,
    ...(options > 0 ? [`Up Down or 1-${Math.min(9, options)} choose`] : []),
    ...[enterLabel(state), ...next, ...leave],
  ]
  const isOpen = question?.required === true && !state.answers.has(question.id)
  // With several questions, the list above already shows that an answer is missing.
  const need = isOpen && !hasMore ? 'needs an answer' : ''
  const note = state.note || need
  const lines = joinWords(keys, pen).map(dim)
  return [...(note === '' ? [] : pen.wrap(note, look.width).map(pen.paint({ color: 'yellow' }))), ...lines]
}
