// The events with which the Messages API streams a reply.
import { pieces, rawOf, type ServedReply } from './model-server.ts'

/** Returns the events of a response, each as the lines on the wire. */
export function messagesEvents(reply: ServedReply): string[] {
  const { piece = 8, calls = [], usage = { in: 10, out: 5 } } = reply
  const out: string[] = []
  const send = (type: string, rest: Record<string, unknown> = {}) =>
    out.push(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`)
  const { cached = 0, written = 0 } = usage ?? {}
  const input = usage && {
    input_tokens: usage.in - cached - written,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    output_tokens: 1,
  }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', content: [] }
  send('message_start', { message: { ...message, stop_reason: null, usage: input } })
  send('ping')
  let index = 0
  const block = (content_block: object, deltas: readonly object[]) => {
    send('content_block_start', { index, content_block })
    for (const delta of deltas) send('content_block_delta', { index, delta })
    send('content_block_stop', { index: index++ })
  }
  if (reply.reasoning) {
    const thoughts = pieces(reply.reasoning, piece).map((thinking) => ({ type: 'thinking_delta', thinking }))
    const signed = { type: 'signature_delta', signature: 'sealed' }
    block({ type: 'thinking', thinking: '', signature: '' }, [...thoughts, signed])
  }
  if (reply.text) {
    const words = pieces(reply.text, piece).map((text) => ({ type: 'text_delta', text }))
    block({ type: 'text', text: '' }, words)
  }
  for (const [i, call] of calls.entries()) {
    const parts = pieces(rawOf(call), piece).map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    }))
    block({ type: 'tool_use', id: call.id ?? `toolu_${i}`, name: call.name, input: {} }, parts)
  }
  const reason = reply.finish === undefined ? (calls.length > 0 ? 'tool_use' : 'end_turn') : reply.finish
  if (reason === null) return out
  const stop_reason = reason === 'length' ? 'max_tokens' : reason
  const counts = usage ? { usage: { output_tokens: usage.out } } : {}
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, ...counts })
  send('message_stop')
  return out
}
