// Content of a thread's context window, counted in tokens: the fixed parts of every request, the messages,
// and the results of each tool.
import { replayEvent } from '../../agent/replay.ts'
import type { EventPayload } from '../../event/event.ts'
import type { ModelMessage } from '../../model/model.ts'
import { weighMessage } from '../../model/tokens.ts'
import type { Store, Thread } from '../../store/store.ts'

export interface ContextPart {
  part: 'system' | 'instructions' | 'tools' | 'messages' | 'results'
  /**
   * Origin of the tools, author of the messages, or tool of the results; null for the system prompt
   * and the instructions.
   */
  name: string | null
  tokens: number
}

export interface ThreadContext {
  model: string | null
  /** Tokens that a request may contain; null if the thread does not record it. */
  window: number | null
  parts: ContextPart[]
  /** Sum of the parts, estimated from characters. */
  estimated: number
  /** The provider's count of input tokens for the latest request that it counted; null without a count. */
  counted: number | null
}

/**
 * Returns the content of the next request of a thread, without parts of 0 tokens. Threads of earlier versions
 * did not record the system prompt, instructions and tools, so these parts are missing for them.
 */
export function readThreadContext(store: Store, thread: Thread): ThreadContext {
  const messages: ModelMessage[] = []
  let init: EventPayload<'system.init'> | undefined
  let counted: number | null = null
  for (let after = 0; ; ) {
    const page = store.threads.events(thread.id, after, 200)
    for (const event of page) {
      replayEvent(messages, event, new Set())
      if (event.type === 'system.init') init = event.payload
      if (event.type === 'usage' && event.payload.estimated !== true) counted = event.payload.input
    }
    const last = page.at(-1)
    if (!last || page.length < 200) break
    after = last.pos
  }
  const parts = [...fixedParts(init?.context), ...conversationParts(messages)]
  return {
    model: init?.model ?? thread.model,
    window: init?.context?.window ?? null,
    parts: parts.filter(({ tokens }) => tokens > 0),
    estimated: parts.reduce((sum, { tokens }) => sum + tokens, 0),
    counted,
  }
}

function fixedParts(context: EventPayload<'system.init'>['context']): ContextPart[] {
  if (!context) return []
  const tools = Object.entries(context.tools).sort(([, a], [, b]) => b - a)
  return [
    { part: 'system', name: null, tokens: context.system },
    { part: 'instructions', name: null, tokens: context.instructions },
    ...tools.map(([name, tokens]): ContextPart => ({ part: 'tools', name, tokens })),
  ]
}

/** Returns the messages by author, then the results by tool, the largest first. */
function conversationParts(messages: readonly ModelMessage[]): ContextPart[] {
  const words = new Map<string, number>()
  const results = new Map<string, number>()
  for (const message of messages) {
    const [sums, name] = message.role === 'tool' ? [results, message.name] : [words, speakerOf(message)]
    sums.set(name, (sums.get(name) ?? 0) + weighMessage(message))
  }
  const list = (part: ContextPart['part'], sums: Map<string, number>) =>
    [...sums].sort(([, a], [, b]) => b - a).map(([name, tokens]): ContextPart => ({ part, name, tokens }))
  return [...list('messages', words), ...list('results', results)]
}

function speakerOf(message: Exclude<ModelMessage, { role: 'tool' }>): string {
  if (message.role === 'assistant') return 'model'
  return message.role === 'user' && message.origin !== undefined ? message.origin : 'person'
}
