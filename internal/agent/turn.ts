// One response of a model: its stream is shown as it arrives, and stored only when complete.
import type { EventDraft } from '../event/event.ts'
import type {
  EndReason,
  Model,
  ModelCarry,
  ModelEvent,
  ModelFailure,
  ModelRequest,
  ModelToolCall,
  TokenUsage,
} from '../model/model.ts'
import { estimateRequest } from '../model/tokens.ts'

export interface TurnReply {
  text: string
  calls: ModelToolCall[]
  usage: TokenUsage | undefined
  end: EndReason | undefined
  failure: ModelFailure | undefined
  carry: ModelCarry | undefined
}

/**
 * Streams deltas and returns the response, with `failure` if it is not complete. Text and calls of a
 * discarded stream are not part of it.
 */
export async function* streamTurn(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<EventDraft, TurnReply> {
  const reply: TurnReply = {
    text: '',
    calls: [],
    usage: undefined,
    end: undefined,
    failure: undefined,
    carry: undefined,
  }
  let thought = 0
  for await (const event of model.stream(request, signal)) {
    switch (event.type) {
      case 'text':
        reply.text += event.text
        yield { type: 'message.delta', payload: { text: event.text } }
        break
      case 'reasoning':
        thought += event.text.length
        yield { type: 'message.delta', payload: { reasoning: event.text } }
        break
      case 'call': {
        const { type: _, ...call } = event
        reply.calls.push(call)
        break
      }
      case 'usage': {
        const { type: _, ...usage } = event
        reply.usage = usage
        break
      }
      case 'discarded':
        reply.text = ''
        reply.calls = []
        thought = 0
        yield discardedDraft(event)
        break
      case 'notice': {
        const { type: _, ...notice } = event
        yield { type: 'model.notice', payload: notice }
        break
      }
      case 'end':
        reply.end = event.reason
        reply.carry = event.carry
        break
      case 'failure':
        reply.failure = event.failure
        reply.usage ??= usageOfFailure(model, request, event.failure, reply.text.length + thought)
        break
    }
  }
  return reply
}

/** Failures after which the provider may have worked on a request and charge for it. */
const interrupted: ReadonlySet<ModelFailure['kind']> = new Set(['cancelled', 'broken', 'stalled'])

const nothingUsed: TokenUsage = { input: 0, output: 0, usd: 0 }

/**
 * Returns the usage of a request without a complete response. If it was cut off after it was sent, the
 * usage is estimated from the sent and received text, because no provider counts it. Any other request
 * has used nothing.
 */
function usageOfFailure(
  { rates }: Model,
  request: ModelRequest,
  { kind, unsent }: ModelFailure,
  chars: number,
): TokenUsage {
  if (unsent || !interrupted.has(kind)) return nothingUsed
  const input = estimateRequest(request)
  const output = Math.ceil(chars / 4)
  const usd = rates ? (input * rates.input + output * rates.output) / 1_000_000 : null
  return { input, output, usd, estimated: true }
}

function discardedDraft(event: Extract<ModelEvent, { type: 'discarded' }>): EventDraft {
  const { attempt, tries, waitMs, failure } = event
  const payload = { retry: attempt, tries, wait_ms: waitMs, why: failure.message }
  return { type: 'message.delta', status: 'discarded', payload }
}
