// Conversion of a server's form to questions for the user, one per field.
import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client'
import type { UserQuestion } from '../../tool/ask.ts'
import type { UserChannel } from '../../tool/ctx.ts'

/**
 * Largest number of questions in one questionnaire; a form with more fields becomes several questionnaires.
 */
const maxFields = 4

interface FormField {
  type?: string
  title?: string
  description?: string
  enum?: string[]
  oneOf?: { const: string; title?: string }[]
  default?: unknown
}

type FormContent = NonNullable<ElicitResult['content']>

/**
 * Asks the user for each field of the form, or for a form without fields only whether to accept. Returns
 * `cancel` if the questions are dismissed or no user is connected, and `decline` if the user answers no to a
 * form without fields. Unanswered fields are left out, and the client library then adds the server's
 * defaults. Requests to open a URL are declined.
 */
export async function askElicitation(
  params: ElicitRequestParams,
  server: string,
  user: UserChannel,
  signal: AbortSignal,
): Promise<ElicitResult> {
  if (!('requestedSchema' in params)) return { action: 'decline' }
  const { properties = {}, required = [] } = params.requestedSchema as {
    properties?: Record<string, FormField>
    required?: string[]
  }
  const questions = Object.entries(properties).map(([id, field]) =>
    questionOf(id, field, params.message, required.includes(id)),
  )
  const content: FormContent = {}
  for (let from = 0; from < Math.max(1, questions.length); from += maxFields) {
    const part = questions.slice(from, from + maxFields)
    const askedQuestions = part.length > 0 ? part : [createConsent(params.message)]
    const reply = await user.ask({ from: `the MCP server ${server}`, questions: askedQuestions }, signal)
    if (reply.status !== 'answered') return { action: 'cancel' }
    for (const { id, option, text } of reply.answers) {
      if (part.length === 0 && option === 'no') return { action: 'decline' }
      const value = toFieldValue(properties[id], option ?? text)
      if (value !== undefined) content[id] = value
    }
  }
  return { action: 'accept', content }
}

const accept = 'accept'

function createConsent(message: string): UserQuestion {
  const options = [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ]
  return { id: accept, question: message, options, allowFreeform: false, required: true }
}

function questionOf(id: string, field: FormField, message: string, required: boolean): UserQuestion {
  const choices = field.oneOf ?? field.enum?.map((one) => ({ const: one, title: one }))
  const options = choices?.map((one) => ({ id: one.const, label: one.title ?? one.const }))
  const yesNo = ['true', 'false'].map((one) => ({ id: one, label: one === 'true' ? 'Yes' : 'No' }))
  const words = [field.title ?? id, field.description].filter(Boolean).join(': ')
  const preset = field.default === undefined ? '' : ` (${JSON.stringify(field.default)} when left open)`
  return {
    id,
    question: `${words}${preset}`,
    reason: message,
    options: options ?? (field.type === 'boolean' ? yesNo : []),
    allowFreeform: !options && field.type !== 'boolean',
    required,
  }
}

function toFieldValue(
  field: FormField | undefined,
  text: string | undefined,
): FormContent[string] | undefined {
  if (field === undefined || text === undefined) return undefined
  if (field.type === 'boolean') return text === 'true'
  if (field.type === 'array') return text.split(',').map((one) => one.trim())
  const number = Number(text)
  return (field.type === 'number' || field.type === 'integer') && Number.isFinite(number) ? number : text
}
