// Keeps a conversation within the model's window: what is old is replaced by a summary that points at the originals.
import type { Draft } from '../event/event.ts'
import type { Content, Model, ModelMessage } from '../model/model.ts'
import type { Budget } from './budget.ts'
import { turn } from './turn.ts'

/** Share of the window at which a conversation is shortened, and what the kept end may take of it. */
const full = 0.8
const kept = 0.3

export interface Compaction {
  model: Model
  signal: AbortSignal
  /** Tokens that system prompt and tools take. */
  overhead: number
  thread: string
  budget: Budget
  /** Asked before anything is shortened; a refusal leaves the conversation as it is. */
  permit?: Permit | undefined
}

export type Permit = (about: {
  tokens: number
  replaced: number
  forced: boolean
}) => Promise<{ deny: string } | undefined>

/** Four characters count as a token; a picture as 1,500. */
export function tokensOf(messages: readonly ModelMessage[]): number {
  let chars = 0
  for (const message of messages) {
    chars += size(message.content) + 16
    if (message.role === 'assistant' && message.calls) chars += JSON.stringify(message.calls).length
  }
  return Math.ceil(chars / 4)
}

/**
 * Shortens `messages` in place: the task stays, the last turns stay whole, the rest becomes one summary, which is
 * yielded as an event. Returns whether anything was shortened. Nothing is deleted from the thread.
 */
export async function* compact(
  { model, signal, overhead, thread, budget, permit }: Compaction,
  messages: ModelMessage[],
  now: boolean,
): AsyncGenerator<Draft, boolean> {
  const room = model.window - overhead
  if (!now && tokensOf(messages) < room * full) return false
  const cut = cutAt(messages, Math.max(1, room * (now ? kept / 2 : kept)))
  // the task itself and at least one turn have to lie before the cut
  if (cut < 3) return false
  const old = messages.slice(1, cut)
  if (await permit?.({ tokens: tokensOf(messages), replaced: old.length, forced: now })) return false
  const summary = yield* summarise(model, old, signal, budget)
  const text = `What happened so far, in short (the whole is in thread ${thread}, read_thread shows it):\n\n${summary}`
  messages.splice(1, cut - 1, { role: 'user', content: text, origin: 'note' })
  yield {
    type: 'message',
    payload: { role: 'summary', text, replaced: old.length, kept: messages.length - 2 },
  }
  return true
}

/** Where the kept end begins: a turn is never torn, so the cut lies before a reply or a person's words. */
function cutAt(messages: readonly ModelMessage[], tokens: number): number {
  let cut = messages.length
  for (let i = messages.length - 1; i > 0; i--) {
    const message = messages[i] as ModelMessage
    if (message.role === 'tool') continue
    if (tokensOf(messages.slice(i)) > tokens && cut < messages.length) break
    cut = i
  }
  return cut
}

/** A language model writes its own summary; anything else, or one that fails, gets the list of what was done. */
async function* summarise(
  model: Model,
  old: readonly ModelMessage[],
  signal: AbortSignal,
  budget: Budget,
): AsyncGenerator<Draft, string> {
  const digest = listing(old)
  if (model.kind !== 'llm') return digest
  const system =
    'Summarise the work below for the one who goes on with it: task, decisions and reasons, files read and changed, commands and outcomes, what is open. Facts only, at most 600 words.'
  const content = listing(old, 2_000).slice(0, model.window * 2)
  const request = {
    messages: [{ role: 'system', content: system } as const, { role: 'user', content } as const],
    tools: [],
    meta: { purpose: 'compact' as const },
  }
  const stream = turn(model, request, signal)
  for (;;) {
    const step = await stream.next()
    // its deltas are not part of the conversation
    if (!step.done) continue
    budget.use(step.value.usage)
    if (step.value.usage) yield { type: 'usage', payload: { ...step.value.usage } }
    return step.value.failure || step.value.text === '' ? digest : step.value.text
  }
}

function listing(messages: readonly ModelMessage[], chars = 200): string {
  return messages
    .map((message) => {
      const text = plainText(message.content).slice(0, chars)
      if (message.role === 'tool') return `  ${message.name} -> ${text.replaceAll('\n', ' ')}`
      if (message.role !== 'assistant') return `- ${message.role}: ${text}`
      const calls =
        message.calls?.map((call) => `\n  call ${call.name} ${JSON.stringify(call.args).slice(0, chars)}`) ??
        []
      return `- ${text}${calls.join('')}`
    })
    .join('\n')
}

function plainText(content: Content): string {
  return typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '(picture)')).join(' ')
}

function size(content: Content): number {
  if (typeof content === 'string') return content.length
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 6_000), 0)
}
