// What a person says, before the model gets it: slash commands are filled in, resources that are mentioned
// are read, hooks may refuse it.

import { contentWithMedia } from '../../agent/messages.ts'
import { FailureError, UserError } from '../../base/errors.ts'
import type { SessionHooks } from '../../hook/hook-runner.ts'
import type { MessageContent, Model, ModelMessage } from '../../model/model.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { findMentions, formatMention, parsePromptCommand } from '../../tool-support/mention.ts'
import { invokeAsPerson } from '../run/invoke-as-user.ts'
import type { Runtime } from '../runtime.ts'

type PromptPart = Exclude<MessageContent, string>[number]

/** `notes` are what the message names, for the model, before it. */
export type SubmittedPrompt = { content: MessageContent; notes: readonly MessageContent[] } | { deny: string }

/** Bytes of one resource that go with a message; `read` gives the rest. */
const maxMentionBytes = 65_536
const maxMentions = 20

/** Throws UserError for a prompt of a known server that does not exist or lacks an argument. */
export async function preparePrompt(
  runtime: Runtime,
  hooks: SessionHooks,
  content: MessageContent,
  { ctx, model }: { ctx: Ctx; model: Model },
): Promise<SubmittedPrompt> {
  const parts: PromptPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : [...content]
  const at = parts.findIndex((part) => part.type === 'text')
  const words = parts[at]?.type === 'text' ? parts[at].text : ''
  const refused = await hooks.fire('UserPromptSubmit', { prompt: words })
  if (refused) return refused
  for (const part of parts) if (part.type === 'text') ctx.gate.urls?.addText(part.text)
  const filled = await expandCommand(runtime, words, { signal: ctx.signal, model })
  if (!filled) return { content, notes: await readResources(runtime, words, { ctx, model }) }
  parts.splice(at, 1, ...filled)
  const [only, ...more] = parts
  return { content: more.length === 0 && only?.type === 'text' ? only.text : parts, notes: [] }
}

const hasServer = async (runtime: Runtime, name: string) =>
  (await runtime.foreign.open()).servers?.members.some(
    ({ server }) => server.name === name || server.slug === name,
  ) === true

/** What a prompt of a server makes of its command; undefined where the text is none. */
async function expandCommand(
  runtime: Runtime,
  text: string,
  { signal, model }: { signal: AbortSignal; model: Model },
): Promise<PromptPart[] | undefined> {
  const command = parsePromptCommand(text)
  if (!command || !(await hasServer(runtime, command.server))) return undefined
  const member = (await runtime.foreign.open()).servers?.find(command.server)
  if (!member) return undefined
  const { expandPrompt } = await import('../../mcp/mcp-prompt.ts')
  try {
    const made = await expandPrompt(member, command, signal)
    const content = contentWithMedia(made.text, made.media, model)
    return typeof content === 'string' ? [{ type: 'text', text: content }] : [...content]
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    const { message, hint } = error.failure
    throw new UserError(message, { hint, cause: error })
  }
}

/**
 * Resources that the text names, each read by a call of the person's own. Of a server that is not known only
 * what looks like an address: `@a:b:c` may be anything.
 */
async function readResources(
  runtime: Runtime,
  text: string,
  { ctx, model }: { ctx: Ctx; model: Model },
): Promise<MessageContent[]> {
  const notes: MessageContent[] = []
  const mentions = findMentions(text)
  for (const mention of mentions.slice(0, maxMentions)) {
    if (!mention.uri.includes('://') && !(await hasServer(runtime, mention.server))) continue
    const path = formatMention(mention)
    const request = { name: 'read', args: { path, max_bytes: maxMentionBytes } }
    const { text: given, media = [] } = await invokeAsPerson(runtime, ctx, request)
    notes.push(contentWithMedia(`[resource ${path}]\n${given}`, media, model))
  }
  const more = mentions.length - maxMentions
  return more > 0 ? [...notes, `[${more} more resources that the message names were not read]`] : notes
}

export const noteMessage = (content: MessageContent): ModelMessage => ({
  role: 'user',
  content,
  origin: 'note',
})

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
    else if (submitted) {
      const { content, notes } = submitted
      accepted.push(...notes.map(noteMessage), { ...message, content } as ModelMessage)
    } else accepted.push(message)
  }
  return accepted
}
