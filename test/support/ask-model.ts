// Asks a model in a test and sorts what it said.
import type {
  Model,
  ModelEvent,
  ModelFailure,
  ModelMessage,
  ModelRequest,
  ModelToolCall,
  TokenUsage,
} from '../../internal/model/model.ts'

export interface Said {
  events: ModelEvent[]
  text: string
  reasoning: string
  calls: ModelToolCall[]
  usage: TokenUsage | undefined
  failure: ModelFailure | undefined
  end: (ModelEvent & { type: 'end' }) | undefined
}

/** Runs the stream to its end; throws when the closing rule of the interface is broken. */
export async function ask(
  model: Model,
  request: Partial<ModelRequest> | string = 'hello',
  signal: AbortSignal = new AbortController().signal,
): Promise<Said> {
  const whole: ModelRequest =
    typeof request === 'string'
      ? { messages: [{ role: 'user', content: request }], tools: [] }
      : { messages: [{ role: 'user', content: 'hello' }], tools: [], ...request }
  const events: ModelEvent[] = []
  for await (const event of model.stream(whole, signal)) events.push(event)
  const closing = events.filter(({ type }) => type === 'end' || type === 'failure')
  if (closing.length !== 1 || events.at(-1) !== closing[0]) {
    throw new Error(`expected one closing event, at the end: ${events.map(({ type }) => type).join(' ')}`)
  }
  return sort(events)
}

/** Returns the rest of a stream after everything discarded is dropped. */
export function sort(events: ModelEvent[]): Said {
  const valid = events.slice(events.findLastIndex(({ type }) => type === 'discarded') + 1)
  const said: Said = {
    events,
    text: '',
    reasoning: '',
    calls: [],
    usage: undefined,
    failure: undefined,
    end: undefined,
  }
  for (const event of valid) {
    if (event.type === 'text') said.text += event.text
    if (event.type === 'reasoning') said.reasoning += event.text
    if (event.type === 'call') {
      const { type: _, ...call } = event
      said.calls.push(call)
    }
    if (event.type === 'usage') {
      const { type: _, ...usage } = event
      said.usage = usage
    }
    if (event.type === 'failure') said.failure = event.failure
    if (event.type === 'end') said.end = event
  }
  return said
}

export const user = (content: string): ModelMessage => ({ role: 'user', content })

/** Returns a model with these responses, one list per request, which records its requests. */
export function canned(...turns: ModelEvent[][]): Model & { asked: ModelRequest[] } {
  const asked: ModelRequest[] = []
  return {
    id: 'test/canned',
    kind: 'script',
    window: 1000,
    asked,
    async *stream(request) {
      asked.push(request)
      yield* turns[asked.length - 1] ?? []
    },
  }
}
