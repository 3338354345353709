// Tries again where that can help: a broken stream is dropped whole, and nothing of it counts.
import { messageOf } from '../base/errors.ts'
import type { FailureKind, Model, ModelEvent, ModelFailure, ModelRequest } from './model.ts'

export interface RetryOptions {
  /** Tries in all; 5 unless told. */
  tries?: number
  /** 0 to 1, drives the jitter. */
  random?: () => number
  /** First delay in milliseconds before doubling; 500 unless told. */
  baseMs?: number
}

/** Longer waits than this are for a person to decide on. */
const longestWaitMs = 5 * 60_000

/** As long as a server may take to read its model before it counts as failing. */
const longestLoadMs = 10 * 60_000

/** llama.cpp: "Loading model"; TGI and hosted inference: "Model … is currently loading". */
const isStillLoading = ({ kind, message }: ModelFailure): boolean =>
  kind === 'server' &&
  /\bloading (the )?model|\bmodel\b.{0,80}\bis (still |currently )?(loading|being loaded)/i.test(message)

const passing: ReadonlySet<FailureKind> = new Set([
  'rate_limit',
  'server',
  'unreachable',
  'broken',
  'stalled',
])

/** Whether the same request may succeed later. */
export const isTransient = (failure: ModelFailure): boolean =>
  failure.final !== true && passing.has(failure.kind)

/**
 * `min(30 s, base * 2^k)` times a factor in [0.5, 1.5], `k` counting from 0; what the endpoint asks for wins.
 */
export function waitOf(failure: ModelFailure, k: number, random: () => number, baseMs = 500): number {
  return failure.retryAfterMs ?? Math.round(Math.min(30_000, baseMs * 2 ** k) * (0.5 + random()))
}

/**
 * The same model, patient. Text and reasoning pass through as they come, calls and usage only when the reply
 * has ended well; between two tries stands a `discarded` event. Gives up when the wait would reach the
 * deadline.
 */
export function retryModel(model: Model, options: RetryOptions = {}): Model {
  const { tries = 5, random = Math.random, baseMs = 500 } = options
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const began = Date.now()
    // no try so far has cost anything
    let unpaid = true
    for (let attempt = 1, failed = 0; ; attempt++) {
      const failure = yield* once(model, request, signal)
      if (!failure) return
      if (signal.aborted) return yield cancelledAfter(unpaid, failure)
      unpaid &&= !costly.has(failure.kind)
      // a server that reads its model from disk will answer, and how long that takes it cannot say
      const isLoading = isStillLoading(failure) && Date.now() - began < longestLoadMs
      if (!isLoading) failed++
      const waitMs = isLoading
        ? (failure.retryAfterMs ?? baseMs * 4)
        : waitOf(failure, failed - 1, random, baseMs)
      const late = request.deadline !== undefined && Date.now() + waitMs >= request.deadline
      if (!isTransient(failure) || failed >= tries || late || waitMs > longestWaitMs) {
        return yield { type: 'failure', failure: describeTries(failure, attempt) }
      }
      const limit = isLoading ? {} : { tries: tries + attempt - failed }
      yield { type: 'discarded', failure, attempt: attempt + 1, ...limit, waitMs }
      try {
        const { setTimeout: sleep } = await import('node:timers/promises')
        await sleep(waitMs, undefined, { signal })
      } catch {
        // only the signal ends the sleep early
        return yield cancelledAfter(unpaid)
      }
    }
  }
  return { ...model, stream }
}

/** Failures of requests that the endpoint may have worked on. */
const costly: ReadonlySet<FailureKind> = new Set(['broken', 'stalled'])

/** `last` is the try that was cancelled; absent: the wait before the next one was. */
function cancelledAfter(unpaid: boolean, last?: ModelFailure): ModelEvent {
  const unsent = unpaid && (last === undefined || last.unsent === true || last.kind === 'unreachable')
  const failure = { kind: 'cancelled', message: 'the request was cancelled' } as const
  return { type: 'failure', failure: unsent ? { ...failure, unsent } : failure }
}

/** One try. Yields the whole reply and returns nothing, or returns the failure. */
async function* once(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, ModelFailure | undefined> {
  let held: ModelEvent[] = []
  try {
    for await (const event of model.stream(request, signal)) {
      if (event.type === 'failure') return event.failure
      if (event.type === 'end') {
        yield* held
        yield event
        return undefined
      }
      if (event.type === 'discarded') held = []
      if (event.type === 'call' || event.type === 'usage') held.push(event)
      else yield event
    }
  } catch (error) {
    return { kind: 'internal', message: messageOf(error) }
  }
  return { kind: 'broken', message: `${model.id} ended its stream without an end` }
}

function describeTries(failure: ModelFailure, tries: number): ModelFailure {
  return tries === 1 ? failure : { ...failure, message: `${failure.message} (after ${tries} tries)` }
}
