// Preparation of user messages for the model: expands slash commands, reads mentioned resources, and runs
// hooks that can refuse the message.

import { contentWithMedia } from '../../agent/messages.ts'
import { FailureError, UserError } from '../../base/errors.ts'
import type { SessionHooks } from '../../hook/hook-runner.ts'
import { expandPrompt } from '../../mcp/mcp-prompt.ts'
import type { MessageContent, Model, ModelMessage } from '../../model/model.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { findMentions, formatMention, parsePromptCommand } from '../../tool-support/mention.ts'
import { invokeAsUser } from '../run/invoke-as-user.ts'
import type { Runtime } from '../runtime.ts'

type PromptPart = Exclude<MessageContent, string>[number]

/**
 * A message ready for the model, or its refusal. `notes` are the mentioned resources, which the model gets
 * before the message. `typed` is the user's command if a prompt of an MCP server replaced it. `deny` is the
 * reason of a hook that refused the message.
 */
export type SubmittedPrompt =
  | { content: MessageContent; typed?: string; notes: readonly MessageContent[] }
  | { deny: string }

/**
 * Largest number of bytes of one mentioned resource in a message. The model can read the rest with
 * the tool `read`.
 */
const maxMentionBytes = 65_536
const maxMentions = 20

/**
 * Asks the hooks, and returns a refusal if there is one. Otherwise expands the message if it is a command of
 * a server, or else reads the resources that its first text mentions. Throws UserError if the prompt of a
 * known server cannot be used, for example because it does not exist or lacks an argument.
 */
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
  return { content: more.length === 0 && only?.type === 'text' ? only.text : parts, typed: words, notes: [] }
}

const hasServer = async (runtime: Runtime, name: string) =>
  (await runtime.foreign.open()).servers?.members.some(
    ({ server }) => server.name === name || server.slug === name,
  ) === true

/**
 * Expands the command into the server's prompt. Returns undefined if the text is not a command of a known
 * server. Throws UserError if the server returns no prompt.
 */
async function expandCommand(
  runtime: Runtime,
  text: string,
  { signal, model }: { signal: AbortSignal; model: Model },
): Promise<PromptPart[] | undefined> {
  const command = /^\s*\//.test(text) ? parsePromptCommand(text) : undefined
  if (!command || !(await hasServer(runtime, command.server))) return undefined
  const member = (await runtime.foreign.open()).servers?.find(command.server)
  if (!member) return undefined
  try {
    const expandedPrompt = await expandPrompt(member, command, signal)
    const content = contentWithMedia(expandedPrompt.text, expandedPrompt.media, model)
    return typeof content === 'string' ? [{ type: 'text', text: content }] : [...content]
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    const { message, hint } = error.failure
    throw new UserError(message, { hint, cause: error })
  }
}

/**
 * Reads the resources of the first 20 mentions in the text, each with a call that the record shows as the
 * user's. A last note counts the other mentions. For an unknown server, only a mention with a URL counts,
 * because `@a:b:c` can mean anything.
 */
async function readResources(
  runtime: Runtime,
  text: string,
  { ctx, model }: { ctx: Ctx; model: Model },
): Promise<MessageContent[]> {
  const notes: MessageContent[] = []
  const mentions = text.includes('@') ? findMentions(text) : []
  for (const mention of mentions.slice(0, maxMentions)) {
    if (!mention.uri.includes('://') && !(await hasServer(runtime, mention.server))) continue
    const path = formatMention(mention)
    const request = { name: 'read', args: { path, max_bytes: maxMentionBytes } }
    const { text: resourceText, media = [] } = await invokeAsUser(runtime, ctx, request)
    notes.push(contentWithMedia(`[resource ${path}]\n${resourceText}`, media, model))
  }
  const more = mentions.length - maxMentions
  return more > 0 ? [...notes, `[${more} more resources that the message names were not read]`] : notes
}

export const noteMessage = (content: MessageContent): ModelMessage => ({
  role: 'user',
  content,
  origin: 'note',
})

/**
 * Returns the messages that arrived during a run, without those that a hook refuses. The resources that a
 * message mentions come before it. Notes and messages with an invalid command stay unchanged. `note` reports
 * refusals and errors to the user.
 */
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
    // a note is written by the program, so it contains no commands or mentions to expand
    const isTyped = message.role === 'user' && message.origin !== 'note'
    const submitted = isTyped ? await prepare(message.content).catch(tell) : undefined
    if (submitted && 'deny' in submitted) note(`a hook refused what was said: ${submitted.deny}`)
    else if (submitted) {
      const { notes, ...messageFields } = submitted
      accepted.push(...notes.map(noteMessage), { ...message, ...messageFields } as ModelMessage)
    } else accepted.push(message)
  }
  return accepted
}

/** Returns the note that asks the model for a plan, with the tool names of this session. */
export function planNote(path: string, entries: readonly ListedTool[]): string {
  const offered = entries.filter(({ hidden }) => hidden === undefined)
  const nameOf = (native: string) =>
    offered.find(({ name, natives = [name] }) => natives.includes(native))?.name ?? native
  return (
    `Make a plan first: read and search, write it to ${path} with ${nameOf('create_file')}, then call ` +
    `${nameOf('plan_exit')}. Until it is approved nothing else may be changed.`
  )
}
