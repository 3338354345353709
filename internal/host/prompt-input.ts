// What a person says, before the model gets it: slash commands and mentions are filled in, hooks may refuse
// it.

import { FailureError, UserError } from '../base/errors.ts'
import type { SessionHooks } from '../hook/hook-runner.ts'
import type { MessageContent, ModelMessage } from '../model/model.ts'
import { findMentions, formatMention, parsePromptCommand } from '../tool-support/mention.ts'
import type { Runtime } from './runtime.ts'

type PromptPart = Exclude<MessageContent, string>[number]

export type SubmittedPrompt = { content: MessageContent } | { deny: string }

/** Characters of one resource that a mention puts into the prompt; `read` gives the rest. */
const maxMentionChars = 64_000

/** Throws UserError for a prompt of a known server that does not exist or lacks an argument. */
export async function preparePrompt(
  runtime: Runtime,
  hooks: SessionHooks,
  content: MessageContent,
  signal: AbortSignal,
): Promise<SubmittedPrompt> {
  const parts: PromptPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : [...content]
  const at = parts.findIndex((part) => part.type === 'text')
  const words = parts[at]?.type === 'text' ? parts[at].text : ''
  const refused = await hooks.fire('UserPromptSubmit', { prompt: words })
  if (refused) return refused
  const filled = await fill(runtime, words, signal)
  if (filled === undefined) return { content }
  parts.splice(at, 1, ...filled)
  const [only, ...more] = parts
  return { content: more.length === 0 && only?.type === 'text' ? only.text : parts }
}

/** Undefined when there is nothing to fill in; then no server is looked for. */
async function fill(runtime: Runtime, text: string, signal: AbortSignal): Promise<PromptPart[] | undefined> {
  const command = parsePromptCommand(text)
  const mentioned = findMentions(text)
  if (!command && mentioned.length === 0) return undefined
  const foreign = await runtime.foreign.open()
  const isServer = (name: string) =>
    foreign.servers?.members.some(({ server }) => server.name === name || server.slug === name) === true
  if (command && isServer(command.server)) {
    const { expandPrompt } = await import('../mcp/mcp-prompt.ts')
    try {
      const member = foreign.servers?.find(command.server)
      if (!member) return undefined
      const made = await expandPrompt(member, command, signal)
      return [{ type: 'text', text: made.text }, ...made.media]
    } catch (error) {
      if (!(error instanceof FailureError)) throw error
      const { message, hint } = error.failure
      throw new UserError(message, { ...(hint !== undefined && { hint }), cause: error })
    }
  }
  const known = mentioned.filter(({ server }) => isServer(server))
  if (known.length === 0) return undefined
  const blocks = await Promise.all(
    known.map(async (mention) => {
      const name = formatMention(mention)
      try {
        const whole = await foreign.read(mention, signal)
        const rest =
          whole.length > maxMentionChars
            ? `\n[${whole.length - maxMentionChars} more characters: read ${name}]`
            : ''
        return `[resource ${name}]\n${whole.slice(0, maxMentionChars)}${rest}`
      } catch (error) {
        if (!(error instanceof FailureError)) throw error
        return `[resource ${name} could not be read: ${error.failure.message}]`
      }
    }),
  )
  return [{ type: 'text', text: [text, ...blocks].join('\n\n') }]
}

/** What a person says while a run goes on, without what a hook refuses. */
export async function filterInboxMessages(
  messages: ModelMessage[],
  prepare: (content: MessageContent) => Promise<SubmittedPrompt>,
  note: (text: string) => void,
): Promise<ModelMessage[]> {
  const accepted: ModelMessage[] = []
  const tell = (error: unknown) => {
    if (!(error instanceof UserError)) throw error
    note(error.message)
    return undefined
  }
  for (const message of messages) {
    // a note is the program's own and names nothing that is to be filled in
    const isTyped = message.role === 'user' && message.origin !== 'note'
    const submitted = isTyped ? await prepare(message.content).catch(tell) : undefined
    if (submitted && 'deny' in submitted) note(`a hook refused what was said: ${submitted.deny}`)
    else accepted.push(submitted ? ({ ...message, content: submitted.content } as ModelMessage) : message)
  }
  return accepted
}
