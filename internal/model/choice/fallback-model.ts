// A model that consists of several: if the current one becomes unavailable, the next one is used.
import type { FailureKind, Model, ModelEvent, ModelFailure, ModelRequest } from '../model.ts'

/** Failures that depend on the state of the endpoint and not on the request. */
const unavailable: ReadonlySet<FailureKind> = new Set([
  'rate_limit',
  'payment',
  'server',
  'unreachable',
  'stalled',
  'broken',
])

/**
 * Splits a list of model names at commas. A text that starts with `script:`, `record:` or `replay:` is one
 * name, because a comma there belongs to the file name.
 */
export function splitModelList(spec: string): string[] {
  if (/^(?:script|record|replay):/.test(spec)) return [spec]
  const names = spec.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '')
}

/**
 * Creates one model from several, best first. Each model has its own retries; if one becomes unavailable, the
 * created model uses the next one from then on. The window of the created model is the smallest and its price
 * the highest of all models (unknown if one price is unknown), so a request that fits the created model fits
 * each of them. Data that a model attached to its responses is sent only to that model.
 */
export function createFallbackModel(models: readonly [Model, ...Model[]]): Model {
  let active = 0
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    for (;;) {
      const model = models[active] as Model
      const next = models[active + 1]
      const failure = yield* askUntilUnavailable(model, next !== undefined, request, signal)
      if (!failure || !next) return
      // Another request of this process may already have switched to the next model.
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

/** Passes the response on, or returns the failure if another model may be used instead. */
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

/**
 * Returns the highest rates of the models, or no rates if one of them is unknown, because their maximum is
 * then unknown too.
 */
function highestRates(models: readonly Model[]): Pick<Model, 'rates'> {
  const rates = models.map((model) => model.rates)
  if (rates.some((rate) => rate === undefined)) return {}
  const highest = (kind: 'input' | 'output') => Math.max(...rates.map((rate) => rate?.[kind] ?? 0))
  return { rates: { input: highest('input'), output: highest('output') } }
}
