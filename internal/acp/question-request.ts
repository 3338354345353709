// The questions of a call in the form that the editor supports: one form, or one choice after the other.
import type {
  AgentContext,
  ElicitationPropertySchema,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk/unstable'
import type { QuestionAnswer } from '../session/commands.ts'
import type { UserQuestion, UserQuestionnaire } from '../tool/ask.ts'

interface QuestionPlace {
  peer: AgentContext
  session: string
  call: string
  signal: AbortSignal
}

/** Asks the editor's user. Returns `dismissed` if the editor cannot ask or the user does not answer. */
export async function askClientQuestions(
  { questions, from }: UserQuestionnaire,
  hasForms: boolean,
  place: QuestionPlace,
): Promise<QuestionAnswer> {
  try {
    return hasForms ? await askForm(questions, from, place) : await askChoices(questions, place)
  } catch {
    // the editor failed to ask, so the questions have no answer
    return { status: 'dismissed' }
  }
}

async function askForm(
  questions: readonly UserQuestion[],
  from: string,
  { peer, session, call, signal }: QuestionPlace,
): Promise<QuestionAnswer> {
  const reply = await peer.request(
    'elicitation/create',
    {
      mode: 'form',
      sessionId: session,
      toolCallId: call,
      message: `${from} asks`,
      requestedSchema: {
        type: 'object',
        properties: Object.fromEntries(questions.map((one) => [one.id, propertyOf(one)])),
        required: questions.filter(({ required }) => required).map(({ id }) => id),
      },
    },
    { cancellationSignal: signal },
  )
  const content = 'content' in reply && reply.action === 'accept' ? (reply.content ?? {}) : undefined
  if (!content || typeof content !== 'object') return { status: 'dismissed' }
  const values = content as Record<string, unknown>
  const answers = questions.flatMap((question) => answerOf(question, values[question.id]))
  return answers.length === 0 ? { status: 'dismissed' } : { status: 'answered', answers }
}

/**
 * Returns the form field of a question. Where free text is allowed, the description lists the options,
 * because a field cannot offer both.
 */
function propertyOf({ question, reason, options, allowFreeform }: UserQuestion): ElicitationPropertySchema {
  const lines = options.map(({ label, description }) =>
    description === undefined ? label : `${label}: ${description}`,
  )
  const why = [...(reason === undefined ? [] : [reason])]
  if (options.length === 0 || allowFreeform)
    return { type: 'string', title: question, description: [...why, ...lines].join('\n') }
  return {
    type: 'string',
    title: question,
    description: why.length > 0 ? why.join('\n') : undefined,
    oneOf: options.map(({ id, label }) => ({ const: id, title: label })),
  }
}

function answerOf({ id, options }: UserQuestion, value: unknown) {
  if (typeof value !== 'string' || value.trim() === '') return []
  const option = options.find((one) => one.id === value || one.label === value.trim())
  return [option ? { id, option: option.id } : { id, text: value }]
}

/**
 * Asks the questions that have options, one after the other; questions without options stay unanswered.
 * Returns `dismissed` after the first question that the user does not answer, and if no question has options.
 */
async function askChoices(
  questions: readonly UserQuestion[],
  { peer, session, call, signal }: QuestionPlace,
): Promise<QuestionAnswer> {
  const answers: { id: string; option: string }[] = []
  for (const { id, question, options } of questions) {
    if (options.length === 0) continue
    const { outcome } = await peer.request<RequestPermissionResponse>(
      'session/request_permission',
      {
        sessionId: session,
        toolCall: { toolCallId: call, title: question },
        options: [
          ...options.map((one) => ({
            optionId: one.id,
            name: one.description === undefined ? one.label : `${one.label}: ${one.description}`,
            kind: 'allow_once' as const,
          })),
          { optionId: 'anode:dismiss', name: 'No answer', kind: 'reject_once' as const },
        ],
      },
      { cancellationSignal: signal },
    )
    const choice =
      outcome.outcome === 'selected' ? options.find((one) => one.id === outcome.optionId) : undefined
    if (!choice) return { status: 'dismissed' }
    answers.push({ id, option: choice.id })
  }
  return answers.length === 0 ? { status: 'dismissed' } : { status: 'answered', answers }
}
