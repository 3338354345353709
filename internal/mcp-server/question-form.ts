// A tool's questionnaire as one form, and the parser of its answers.
import type { UserQuestion, UserQuestionnaire, UserReply } from '../tool/ask.ts'
import type { ElicitationForm, FormField, FormReply } from './elicitation-form.ts'

/** Returns the id of the separate field for free text next to options. */
const wordsOf = (id: string) => `${id}_words`

export function questionForm({ from, questions }: UserQuestionnaire): ElicitationForm {
  const fields = questions.flatMap(fieldsOf)
  const required = questions.filter((one) => one.required && !(one.allowFreeform && one.options.length > 0))
  return {
    message: `Questions of ${from}`,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(fields),
      required: required.map(({ id }) => id),
    },
  }
}

function fieldsOf({ id, question, reason, options, allowFreeform }: UserQuestion): [string, FormField][] {
  const about = reason === undefined ? {} : { description: reason }
  if (options.length === 0) return [[id, { type: 'string', title: question, ...about }]]
  const oneOf = options.map(({ id, label, description }) => ({
    const: id,
    title: description === undefined ? label : `${label}: ${description}`,
  }))
  const choice: [string, FormField] = [id, { type: 'string', title: question, ...about, oneOf }]
  return allowFreeform ? [choice, [wordsOf(id), { type: 'string', title: 'Or in your own words' }]] : [choice]
}

export function readQuestionReply(
  { action, content = {} }: FormReply,
  { questions }: UserQuestionnaire,
): UserReply {
  if (action !== 'accept') return { status: 'dismissed' }
  const answers = questions.flatMap(({ id, options }) => {
    const answerText = textOf(content[id])
    const isOption = options.some((option) => option.id === answerText)
    const text = options.length === 0 ? answerText : textOf(content[wordsOf(id)])
    if (!isOption && text === undefined) return []
    return [{ id, option: isOption ? answerText : undefined, text }]
  })
  return { status: 'answered', answers }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
