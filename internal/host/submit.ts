// What a person says, before the model gets it: slash commands and mentions are filled in, hooks may refuse it.

import { FailureError, UserError } from '../base/errors.ts'
import type { Hooks } from '../hook/fire.ts'
import type { Content, ModelMessage } from '../model/model.ts'
import { commandOf, mentions, spelling } from '../tool/mention.ts'
import type { Ground } from './ground.ts'

type Part = Exclude<Content, string>[number]

export type Submitted = { content: Content } | { deny: string }

/** Characters of one resource that a mention puts into the prompt; `read` gives the rest. */
const most = 64_000

/** Throws UserError for a prompt of a known server that does not exist or lacks an argument. */
export async function submit(
  ground: Ground,
  hooks: Hooks,
  content: Content,
  signal: AbortSignal,
): Promise<Submitted> {
  const parts: Part[] = typeof content === 'string' ? [{ type: 'text', text: content }] : [...content]
  const at = parts.findIndex((part) => part.type === 'text')
  const words = parts[at]?.type === 'text' ? parts[at].text : ''
  const refused = await hooks.fire('UserPromptSubmit', { prompt: words })
  if (refused) return refused
  const filled = await fill(ground, words, signal)
  if (filled === undefined) return { content }
  parts.splice(at, 1, ...filled)
  const [only, ...more] = parts
  return { content: more.length === 0 && only?.type === 'text' ? only.text : parts }
}

/** Undefined when there is nothing to fill in; then no server is looked for. */
async function fill(ground: Ground, text: string, signal: AbortSignal): Promise<Part[] | undefined> {
  const command = commandOf(text)
  const mentioned = mentions(text)
  if (!command && mentioned.length === 0) return undefined
  const foreign = await ground.foreign()
  const isServer = (name: string) =>
    foreign.servers?.members.some(({ server }) => server.name === name || server.slug === name) === true
  if (command && isServer(command.server)) {
    const { expand } = await import('../mcp/prompt.ts')
    try {
      const member = foreign.servers?.find(command.server)
      if (!member) return undefined
      const made = await expand(member, command, signal)
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
      const name = spelling(mention)
      try {
        const whole = await foreign.read(mention, signal)
        const rest = whole.length > most ? `\n[${whole.length - most} more characters: read ${name}]` : ''
        return `[resource ${name}]\n${whole.slice(0, most)}${rest}`
      } catch (error) {
        if (!(error instanceof FailureError)) throw error
        return `[resource ${name} could not be read: ${error.failure.message}]`
      }
    }),
  )
  return [{ type: 'text', text: [text, ...blocks].join('\n\n') }]
}

/** What a person says while a run goes on, without what a hook refuses. */
export async function heard(
  messages: ModelMessage[],
  take: (content: Content) => Promise<Submitted>,
  note: (text: string) => void,
): Promise<ModelMessage[]> {
  const kept: ModelMessage[] = []
  const tell = (error: unknown) => {
    if (!(error instanceof UserError)) throw error
    note(error.message)
    return undefined
  }
  for (const message of messages) {
    const said = message.role === 'user' ? await take(message.content).catch(tell) : undefined
    if (said && 'deny' in said) note(`a hook refused what was said: ${said.deny}`)
    else kept.push(said ? ({ ...message, content: said.content } as ModelMessage) : message)
  }
  return kept
}
