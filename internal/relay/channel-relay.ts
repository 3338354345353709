// Remote approval through a channel of an MCP server, which is a chat where a user answers with
// buttons or text. The messages are those of the experimental capabilities
// `hooman/channel/permission` and `hooman/channel/ask`.
import { randomUUID } from 'node:crypto'
import { FailureError } from '../base/errors.ts'
import type { UserQuestion } from '../tool/ask.ts'
import type { RelayTransport } from './question-relay.ts'
import type { RelayDocument, RelayedApproval, RelayedQuestions } from './relay-document.ts'

/** The MCP server that gets the questions and passes them to a chat. */
export interface ChannelServer {
  /** Experimental capabilities that the MCP server declares. */
  experimental: Readonly<Record<string, unknown>>
  notify(method: string, params: Record<string, unknown>): Promise<void>
  /** Registers the only listener for notifications of this method. */
  listen(method: string, heard: (params: unknown) => void): void
}

/** Chat, user or thread on the channel to which a question is sent. */
export interface ChannelOrigin {
  source?: string | undefined
  user?: string | undefined
  session?: string | undefined
  thread?: string | undefined
}

interface ChannelRelayOptions {
  /** Name of the server. */
  server: string
  origin: ChannelOrigin | undefined
  /** Runs `work` with the connected server. Rejects with FailureError. */
  use<T>(signal: AbortSignal, work: (server: ChannelServer) => Promise<T>): Promise<T>
  maxMs: number
}

type MessageParams = Readonly<Record<string, unknown>>

const permissionChannel = 'hooman/channel/permission'
const askChannel = 'hooman/channel/ask'
const maxDescriptionChars = 200
const maxPreviewChars = 2_000

export function createChannelRelay({
  server: name,
  origin,
  use,
  maxMs,
}: ChannelRelayOptions): RelayTransport {
  const waiting = new Map<string, (params: MessageParams) => void>()
  const heard = (params: unknown) => {
    const message = (typeof params === 'object' ? params : undefined) as MessageParams | undefined
    waiting.get(String(message?.['request_id']))?.(message ?? {})
  }
  /** Sends one request and returns the message with its id; later messages with that id are ignored. */
  const exchange = (channel: string, content: MessageParams, signal: AbortSignal): Promise<MessageParams> =>
    use(signal, async (server) => {
      if (server.experimental[channel] === undefined) throw createFailure(`it does not offer ${channel}`)
      server.listen(`notifications/${channel}`, heard)
      const id = randomUUID()
      const answer = new Promise<MessageParams>((resolve, reject) => {
        waiting.set(id, resolve)
        signal.addEventListener('abort', () => reject(createFailure('it was not waited for')), { once: true })
      })
      // The answer is not awaited if sending the request fails, so its rejection is ignored here.
      answer.catch(() => undefined)
      try {
        await server.notify(`notifications/${channel}_request`, {
          request_id: id,
          ...content,
          meta: { ...origin },
        })
        return await answer
      } finally {
        waiting.delete(id)
      }
    })
  return {
    name: `the channel of the MCP server ${name}`,
    maxMs,
    async send(document, signal) {
      if (!origin) throw createFailure('no origin says where on the channel to ask')
      if (document.kind === 'questions')
        return askAll(document, (content) => exchange(askChannel, content, signal))
      const { behavior } = await exchange(permissionChannel, permissionOf(document), signal)
      return {
        allow: behavior === 'allow_once' || behavior === 'allow_always',
        always: behavior === 'allow_always' && document.always !== undefined,
      }
    },
    close: async () => undefined,
  }
}

/**
 * Returns the parameters of a permission request. Arguments over 2,000 characters of JSON are cut,
 * with the number of hidden characters. For a command, which must be shown completely, longer
 * arguments throw FailureError.
 */
function permissionOf(document: RelayedApproval): MessageParams {
  const { tool, args, cwd, reasons, always } = document
  const whole = JSON.stringify(args)
  const chars = [...whole]
  const hidden = chars.length - maxPreviewChars
  if (hidden > 0 && isCommand(document))
    throw createFailure('the command is too long for it to be seen whole')
  const preview =
    hidden > 0 ? `${chars.slice(0, maxPreviewChars).join('')}… ${hidden} more characters are hidden` : whole
  return {
    tool_name: tool,
    description: clipText(`in ${cwd}: ${reasons.join('; ')}`),
    input_preview: preview,
    options: [
      { id: 'allow_once', label: 'Allow once' },
      ...(always ? [{ id: 'allow_always', label: 'Always allow' }] : []),
      { id: 'deny', label: 'Deny' },
    ],
  }
}

const isCommand = ({ args, parts }: RelayDocument & { kind: 'approval' }) =>
  parts !== undefined || ['command', 'commands', 'input'].some((name) => Object.hasOwn(args, name))

const clipText = (text: string) =>
  text.length > maxDescriptionChars ? `${[...text].slice(0, maxDescriptionChars - 1).join('')}…` : text

/** Sends one message for each question; a dismissal of one dismisses all. */
async function askAll(
  { questions }: RelayedQuestions,
  ask: (content: MessageParams) => Promise<MessageParams>,
): Promise<MessageParams> {
  const answers: MessageParams[] = []
  for (const question of questions) {
    const reply = await ask({
      question: [question.question, ...(question.reason ? [question.reason] : [])].join('\n'),
      options: question.options.map(({ id, label }) => ({ id, label })),
    })
    if (reply['dismissed'] === true) return { dismissed: true }
    answers.push(readReply(question, reply))
  }
  return { answers }
}

function readReply({ id }: UserQuestion, { option_id: option, answer: text }: MessageParams): MessageParams {
  return option === undefined ? { id, text } : { id, option }
}

const createFailure = (message: string) => new FailureError({ code: 'unavailable', message })
