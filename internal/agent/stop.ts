// How a run ends when it is stopped from outside, by the clock, or by a model that fails.
import type { ModelMessage } from '../model/model.ts'
import type { End } from './end.ts'
import { lastText } from './speak.ts'
import type { Reply } from './turn.ts'

/** The end behind an aborted signal: a deadline is a limit, everything else a cancellation with its reason. */
export function stopped(messages: readonly ModelMessage[], { reason }: AbortSignal): End {
  const text = lastText(messages)
  if (reason instanceof DOMException && reason.name === 'TimeoutError')
    return { end: 'limit', reason: 'time', text }
  return {
    end: 'cancelled',
    reason: reason instanceof Error ? reason.message : String(reason ?? 'cancelled'),
    text,
  }
}

/** The end behind a reply that failed. */
export function broken(reply: Reply, messages: readonly ModelMessage[], signal: AbortSignal): End {
  const failure = reply.failure as NonNullable<Reply['failure']>
  if (failure.kind === 'cancelled' || signal.aborted) return stopped(messages, signal)
  return { end: 'failed', reason: failure.kind, message: failure.message, text: lastText(messages) }
}
