// Forms for questions to the user, one for each questionnaire.
import { h } from 'preact'
import { useState } from 'preact/hooks'
import type { SessionSnapshot } from '../../session/snapshot.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { revealText } from '../text/shown-text.ts'
import type { SendCommand } from './send-command.ts'

type WaitingQuestion = SessionSnapshot['questions'][number]
type AskedQuestion = WaitingQuestion['questionnaire']['questions'][number]

interface QuestionProps {
  send: SendCommand
  canAnswer: boolean
}

export function RunQuestions({ view, send, canAnswer }: QuestionProps & { view: SessionView }) {
  return view.questions.map((waitingQuestion) =>
    h(QuestionForm, { key: waitingQuestion.call, asked: waitingQuestion, send, canAnswer }),
  )
}

function QuestionForm({
  asked: waitingQuestion,
  send,
  canAnswer,
}: QuestionProps & { asked: WaitingQuestion }) {
  const { call, questionnaire } = waitingQuestion
  const [isBusy, setBusy] = useState(false)
  const reply = async (answer: Parameters<SendCommand>[0] & { type: 'answer_question' }) => {
    setBusy(true)
    await send(answer)
    setBusy(false)
  }
  const answer = (event: Event) => {
    event.preventDefault()
    const answers = readAnswers(event.currentTarget as HTMLFormElement, questionnaire.questions)
    void reply({ type: 'answer_question', call, answer: { status: 'answered', answers } })
  }
  return h(
    'form',
    { class: 'card', onSubmit: answer, 'aria-label': 'Question' },
    h('p', { class: 'quiet' }, `${revealText(questionnaire.from)} asks`),
    questionnaire.questions.map((question) => h(QuestionFields, { key: question.id, question })),
    canAnswer &&
      h(
        'div',
        { class: 'answers' },
        h('button', { type: 'submit', disabled: isBusy }, 'Answer'),
        h(
          'button',
          {
            type: 'button',
            disabled: isBusy,
            onClick: () => void reply({ type: 'answer_question', call, answer: { status: 'dismissed' } }),
          },
          'Dismiss',
        ),
      ),
  )
}

function QuestionFields({ question: askedQuestion }: { question: AskedQuestion }) {
  const { id, question, reason, options, allowFreeform, required } = askedQuestion
  const radio = { type: 'radio', name: `option ${id}`, required: required && !allowFreeform }
  return h(
    'fieldset',
    null,
    h('legend', null, revealText(required ? `${question} (required)` : question)),
    reason !== undefined && h('p', { class: 'quiet' }, revealText(reason)),
    options.map((option) =>
      h(
        'label',
        { class: 'option' },
        h('input', { ...radio, value: option.id }),
        ` ${revealText(option.label)} `,
        h('span', { class: 'quiet' }, revealText(option.description ?? '')),
      ),
    ),
    allowFreeform && h('label', null, 'In own words ', h('input', { name: `text ${id}` })),
  )
}

/** Returns the answers to the questions that the user has answered. */
function readAnswers(form: HTMLFormElement, questions: readonly AskedQuestion[]) {
  const fields = new FormData(form)
  return questions.flatMap(({ id }) => {
    const option = fields.get(`option ${id}`)
    const text = String(fields.get(`text ${id}`) ?? '').trim()
    if (typeof option !== 'string' && text === '') return []
    return [{ id, option: typeof option === 'string' ? option : undefined, text: text || undefined }]
  })
}
