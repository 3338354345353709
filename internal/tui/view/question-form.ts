// The form of a questionnaire: one question open with its options, the others with their answers.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { UserQuestion } from '../../tool/ask.ts'
import type { QuestionDialog } from '../dialog/question-dialog.ts'
import { breakLines, type SourceLine } from '../terminal/rows.ts'
import { joinWords } from './approval-box.ts'
import { boxCells, drawTitledBox } from './box.ts'
import { narrowLook, penOfLook } from './look-pen.ts'

/** At most `rows` lines; what is longer scrolls with PgUp and PgDn. */
export function drawQuestionForm(state: QuestionDialog, rows: number, look: RenderLook): string[] {
  const inner = narrowLook(look, boxCells)
  const pen = penOfLook(inner)
  const { questions, from } = state.questionnaire
  const keys = keyLines(state, inner)
  const others =
    questions.length > 1 ? questions.map((question, i) => overviewLine(state, question, i, inner)) : []
  const open = questions[state.at]
  const body = open ? breakLines(openLines(state, open), inner.width, pen).map(({ text }) => text) : []
  const room = Math.max(2, rows - 2 - keys.length - others.length)
  const top = Math.min(state.top, Math.max(0, body.length - room))
  const shown = body.slice(top, top + room)
  const isCut = body.length > room
  const note = [
    ...(questions.length > 1 ? [`question ${state.at + 1} of ${questions.length}`] : []),
    ...(isCut ? [`lines ${top + 1}-${top + shown.length} of ${body.length}`] : []),
  ].join(', ')
  return drawTitledBox([...others, ...shown, ...keys], { title: sanitizeText(`${from} asks`), note }, look)
}

function overviewLine(state: QuestionDialog, question: UserQuestion, i: number, look: RenderLook): string {
  const pen = penOfLook(look)
  const answer = answerText(state, question)
  const mark = answer === undefined ? (question.required ? '*' : ' ') : '='
  const name = sanitizeText(question.topic ?? question.question)
  const given = answer === undefined ? '' : `: ${sanitizeText(answer)}`
  const line = `${i === state.at ? '>' : ' '} ${mark} ${name}${given}`
  return pen.paint(i === state.at ? { bold: true } : { dim: true })(pen.clip(line, look.width))
}

function answerText(state: QuestionDialog, { id, options }: UserQuestion): string | undefined {
  const answer = state.answers.get(id)
  return answer?.text ?? options.find((option) => option.id === answer?.option)?.label
}

/** Words of others stand behind a bar, so that none of them can pass for ours. */
function openLines(state: QuestionDialog, question: UserQuestion): SourceLine[] {
  const chosen = state.answers.get(question.id)?.option
  const own = state.answers.get(question.id)?.text
  return [
    ...foreign(question.question),
    ...foreign(question.reason ?? '').map((line) => ({ ...line, style: { dim: true } })),
    ...question.options.flatMap(({ id, label, description }, i) => {
      const mark = id === chosen ? '*' : ' '
      const about = description ? `: ${description}` : ''
      return foreign(`${mark} ${i < 9 ? i + 1 : '-'} ${sanitizeText(label + about)}`)
    }),
    ...(own === undefined ? [] : [{ text: `* own answer: ${sanitizeText(own)}` }]),
  ]
}

const foreign = (text: string): SourceLine[] =>
  text === ''
    ? []
    : sanitizeText(text, { keepLines: true })
        .split('\n')
        .map((line) => ({ text: line, foreign: true }))

function keyLines(state: QuestionDialog, look: RenderLook): string[] {
  const pen = penOfLook(look)
  const dim = pen.paint({ dim: true })
  const question = state.questionnaire.questions[state.at]
  if (state.words !== undefined) {
    const field = pen.clip(`> ${state.words}_`, look.width, 'end')
    return [field, dim(pen.clip('Enter keeps it   Esc back', look.width))]
  }
  const keys = [
    ...(question && question.options.length > 0 ? [`1-${Math.min(9, question.options.length)} choose`] : []),
    ...(question?.allowFreeform ? ['t own words'] : []),
    ...(state.questionnaire.questions.length > 1 ? ['Tab next'] : []),
    ...['Enter sends', 'x dismiss', 'Esc later'],
  ]
  const need = question?.required ? 'needs an answer' : ''
  const note = state.note || need
  const lines = joinWords(keys, look.width, pen.cells).map((line) => dim(pen.clip(line, look.width)))
  return note === '' ? lines : [pen.paint({ color: 'yellow' })(pen.clip(note, look.width)), ...lines]
}
