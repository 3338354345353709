// The end of a run that is stopped from outside, by a time limit, or by a failing model.
import type { ModelMessage } from '../model/model.ts'
import { findLastText } from './messages.ts'
import type { RunEnd } from './run-end.ts'
import type { TurnReply } from './turn.ts'

/** The end of a run whose response the provider withheld completely, without any text or call. */
export const withheldReplyEnd: RunEnd = {
  end: 'failed',
  reason: 'filter',
  message: 'the provider withheld the reply (content filter)',
  text: '',
}

/** The end of a run whose model sent two empty responses in a row. */
export const emptyReplyEnd: RunEnd = {
  end: 'failed',
  reason: 'empty_reply',
  message: 'the model answered nothing, twice',
  text: '',
}

/** Returns the end after an aborted signal: a deadline is a limit, any other reason a cancellation. */
export function abortedEnd(messages: readonly ModelMessage[], { reason }: AbortSignal): RunEnd {
  const text = findLastText(messages)
  if (reason instanceof DOMException && reason.name === 'TimeoutError')
    return { end: 'limit', reason: 'time', text }
  return {
    end: 'cancelled',
    reason: reason instanceof Error ? reason.message : String(reason ?? 'cancelled'),
    text,
  }
}

/**
 * Returns the end after a failed response: `failed`, or that of `abortedEnd` if the run was cancelled or its
 * time is over.
 */
export function failedEnd(reply: TurnReply, messages: readonly ModelMessage[], signal: AbortSignal): RunEnd {
  const failure = reply.failure as NonNullable<TurnReply['failure']>
  if (failure.kind === 'cancelled' || signal.aborted) return abortedEnd(messages, signal)
  return { end: 'failed', reason: failure.kind, message: failure.message, text: findLastText(messages) }
}
