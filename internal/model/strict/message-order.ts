// An order of messages that every endpoint accepts: each call is directly followed by its result.
import type { ModelMessage, ModelToolCall } from '../model.ts'
import { contentText } from '../tokens.ts'

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>
type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

const continued: ModelMessage = { role: 'user', content: 'Continue.', origin: 'note' }

const missingText =
  'error interrupted: no result of this call was recorded; check its effect before you repeat it'

/**
 * Returns the messages with one result for each call, in the order of the calls, and with unique call ids. A
 * result without its call becomes a note, and a second result of a call is dropped. No response comes first,
 * last, or directly after a response or system message: the user message `Continue.` is added there. A
 * message that already fits stays the same object, so that its JSON text can be used again.
 */
export function orderMessages(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  if (isOrdered(messages)) return messages
  const out: ModelMessage[] = []
  const usedIds = new Set<string>()
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as ModelMessage
    if (message.role === 'tool') out.push(orphanText(message))
    if (message.role === 'system' || message.role === 'user') out.push(message)
    if (message.role !== 'assistant') continue
    const before = out.at(-1)?.role
    if (before === undefined || before === 'system' || before === 'assistant') out.push(continued)
    let end = i + 1
    if (message.calls?.length) while (end < messages.length && messages[end]?.role !== 'assistant') end++
    out.push(...orderTurn(message, messages.slice(i + 1, end), usedIds))
    i = end - 1
  }
  if (out.at(-1)?.role === 'assistant') out.push(continued)
  return out
}

/**
 * Returns true if the conversation already has the strict order. Conversations usually have it and are
 * checked in each turn, so the check copies no messages.
 */
function isOrdered(messages: readonly ModelMessage[]): boolean {
  const usedIds = new Set<string>()
  let before: ModelMessage['role'] | undefined
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as ModelMessage
    if (message.role === 'tool') return false
    if (message.role === 'assistant') {
      if (before === undefined || before === 'system' || before === 'assistant') return false
      for (const { id } of message.calls ?? []) {
        const result = messages[++i]
        if (id === '' || usedIds.has(id) || result?.role !== 'tool' || result.callId !== id) return false
        usedIds.add(id)
      }
    }
    before = messages[i]?.role
  }
  return before !== 'assistant'
}

/**
 * Returns a response and the messages up to the next response. Its tool results come first, in the order
 * of its calls.
 */
function orderTurn(
  reply: AssistantMessage,
  after: readonly ModelMessage[],
  usedIds: Set<string>,
): ModelMessage[] {
  const calls = reply.calls ?? []
  const results = after.filter((one): one is ToolMessage => one.role === 'tool')
  const callResults = calls.map((call) => {
    const at = results.findIndex(({ callId }) => callId === call.id)
    return at < 0 ? undefined : results.splice(at, 1)[0]
  })
  // A second result of a call that already has one is dropped, because it adds nothing.
  const rest = results.filter(({ callId }) => !calls.some(({ id }) => id === callId))
  const named = nameCalls(reply, usedIds)
  const answers = named.calls?.map((call, i) => answerOf(call, callResults[i])) ?? []
  const others = after.filter(({ role }) => role !== 'tool')
  return [named, ...answers, ...rest.map(orphanText), ...others]
}

const renamed = new WeakMap<AssistantMessage, { ids: string; reply: AssistantMessage }>()

/** Returns the response with ids that no earlier call has. */
function nameCalls(reply: AssistantMessage, usedIds: Set<string>): AssistantMessage {
  if (!reply.calls?.length) return reply
  const ids = reply.calls.map(({ id }) => {
    let free = id || 'call'
    for (let n = 2; usedIds.has(free); n++) free = `${id || 'call'}_${n}`
    usedIds.add(free)
    return free
  })
  if (ids.every((id, i) => id === reply.calls?.[i]?.id)) return reply
  const key = ids.join('\n')
  const before = renamed.get(reply)
  if (before?.ids === key) return before.reply
  const calls = reply.calls.map((call, i): ModelToolCall => ({ ...call, id: ids[i] as string }))
  const namedReply: AssistantMessage = { ...reply, calls }
  renamed.set(reply, { ids: key, reply: namedReply })
  return namedReply
}

const answers = new WeakMap<object, ToolMessage>()

/**
 * Returns the result with the id of its call. For a missing result, returns one that says that the
 * result is missing.
 */
function answerOf(call: ModelToolCall, result: ToolMessage | undefined): ToolMessage {
  if (result?.callId === call.id) return result
  const key = result ?? call
  const before = answers.get(key)
  if (before?.callId === call.id) return before
  const answer: ToolMessage = result
    ? { ...result, callId: call.id }
    : { role: 'tool', callId: call.id, name: call.name, content: missingText, failed: true }
  answers.set(key, answer)
  return answer
}

const orphans = new WeakMap<ToolMessage, ModelMessage>()

/** Returns a tool result whose call is missing as a note. */
function orphanText(result: ToolMessage): ModelMessage {
  const content = `Result of an earlier call of ${result.name}:\n${contentText(result.content)}`
  const note = orphans.get(result) ?? { role: 'user', content, origin: 'note' }
  orphans.set(result, note)
  return note
}
