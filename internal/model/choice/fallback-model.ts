// A list of models that stand in for each other: the next one is asked when the one before cannot serve.
import type { FailureKind, Model, ModelEvent, ModelFailure, ModelRequest } from '../model.ts'

/** Failures that say something of the endpoint's state and nothing of the request. */
const unavailable: ReadonlySet<FailureKind> = new Set([
  'rate_limit',
  'payment',
  'server',
  'unreachable',
  'stalled',
  'broken',
])

/** Names of a list written with commas. A comma belongs to the name of a file in the other forms. */
export function splitModelList(spec: string): string[] {
  if (/^(?:script|record|replay):/.test(spec)) return [spec]
  const names = spec.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '')
}

/**
 * One model of several, best first; each has made its own tries. Once one cannot serve, the next is asked for
 * the rest of this process. Its window is the smallest, its price the highest of them, so that whatever fits
 * one fits all. What one model wants back is left out for another by its wire.
 */
export function createFallbackModel(models: readonly [Model, ...Model[]]): Model {
  let active = 0
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    for (;;) {
      const model = models[active] as Model
      const next = models[active + 1]
      const failure = yield* askUntilUnavailable(model, next !== undefined, request, signal)
      if (!failure || !next) return
      // another request of this process may have moved on already
      if (models[active] === model) active++
      yield { type: 'discarded', failure, attempt: 1, waitMs: 0 }
      const text = `${model.id} cannot serve (${failure.message}): ${next.id} is asked from here on`
      yield { type: 'notice', code: 'model_switched', text, model: next.id }
    }
  }
  const [{ rates: _, ...first }] = models
  return {
    ...first,
    id: models.map(({ id }) => id).join(','),
    window: Math.min(...models.map(({ window }) => window)),
    takesDocuments: models.every(({ takesDocuments }) => takesDocuments === true),
    ...highestRates(models),
    stream,
  }
}

/** Passes the reply on; returns the failure instead, when another model may take its place. */
async function* askUntilUnavailable(
  model: Model,
  hasNext: boolean,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, ModelFailure | undefined> {
  for await (const event of model.stream(request, signal)) {
    const canReplace = hasNext && !signal.aborted && !isOver(request)
    if (event.type === 'failure' && canReplace && unavailable.has(event.failure.kind)) return event.failure
    yield event.type === 'usage' ? { ...event, model: model.id } : event
  }
  return undefined
}

const isOver = ({ deadline }: ModelRequest) => deadline !== undefined && Date.now() >= deadline

/** Unknown as soon as one is: an unknown price is never held to be a known one. */
function highestRates(models: readonly Model[]): Pick<Model, 'rates'> {
  const rates = models.map((model) => model.rates)
  if (rates.some((rate) => rate === undefined)) return {}
  const highest = (kind: 'input' | 'output') => Math.max(...rates.map((rate) => rate?.[kind] ?? 0))
  return { rates: { input: highest('input'), output: highest('output') } }
}
