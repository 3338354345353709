// Retries of failed requests. All output of a failed attempt is discarded before the next attempt.
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../base/errors.ts'
import type { FailureKind, Model, ModelEvent, ModelFailure, ModelRequest } from './model.ts'

export interface RetryOptions {
  /**
   * Largest number of attempts in total, without those during which the server loads its model. Default: 5.
   */
  tries?: number
  /** Returns a random number from 0 to 1, which varies the delays. */
  random?: () => number
  /**
   * Delay before the second attempt in milliseconds, which doubles with each further attempt up to 30
   * seconds, and is then multiplied by a random factor from 0.5 to 1.5. While a server loads its model, the
   * delay is always four times this value. Default: 500.
   */
  baseMs?: number
}

/**
 * Longest wait between attempts in milliseconds. If the endpoint requests a longer one, the request fails and
 * the user decides.
 */
const longestWaitMs = 5 * 60_000

/**
 * Milliseconds from the first attempt during which a server may load its model. Later attempts count as
 * failed if it is still loading.
 */
const longestLoadMs = 10 * 60_000

/**
 * Returns true for the failure of a server that is still loading its model. llama.cpp: "Loading model"; TGI
 * and hosted inference: "Model … is currently loading".
 */
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

/** Returns true if the same request may succeed later. */
export const isTransient = (failure: ModelFailure): boolean =>
  failure.final !== true && passing.has(failure.kind)

/**
 * Returns `min(30 s, base * 2^k)` times a factor in [0.5, 1.5], where `k` counts from 0. A wait that the
 * endpoint requests takes precedence.
 */
export function waitOf(failure: ModelFailure, k: number, random: () => number, baseMs = 500): number {
  return failure.retryAfterMs ?? Math.round(Math.min(30_000, baseMs * 2 ** k) * (0.5 + random()))
}

/**
 * Returns the model with retries. Text and reasoning pass through as they arrive, calls and usage only after
 * a successful end. Between two attempts comes a `discarded` event. Gives up after `tries` failed attempts,
 * at a failure that cannot pass, or if the wait would reach the deadline or exceed five minutes.
 */
export function retryModel(model: Model, options: RetryOptions = {}): Model {
  const { tries = 5, random = Math.random, baseMs = 500 } = options
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const began = Date.now()
    // True while no attempt can have cost anything.
    let unpaid = true
    for (let attempt = 1, failed = 0; ; attempt++) {
      const failure = yield* streamOnce(model, request, signal)
      if (!failure) return
      if (signal.aborted) return yield cancelledAfter(unpaid, failure)
      unpaid &&= !costly.has(failure.kind)
      // A server that is loading its model will answer later, so for ten minutes it is asked again
      // without counting attempts.
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
        await sleep(waitMs, undefined, { signal })
      } catch {
        // only the signal ends the sleep early
        return yield cancelledAfter(unpaid)
      }
    }
  }
  return { ...model, stream }
}

/**
 * Kinds of failures after which the endpoint may have worked on the request, so that the request
 * may cost money.
 */
const costly: ReadonlySet<FailureKind> = new Set(['broken', 'stalled'])

/**
 * Returns the failure of a cancelled request, marked as unsent if no attempt can have cost anything. `last`
 * is the attempt that was cancelled; undefined if the wait before an attempt was cancelled.
 */
function cancelledAfter(unpaid: boolean, last?: ModelFailure): ModelEvent {
  const unsent = unpaid && (last === undefined || last.unsent === true || last.kind === 'unreachable')
  const failure = { kind: 'cancelled', message: 'the request was cancelled' } as const
  return { type: 'failure', failure: unsent ? { ...failure, unsent } : failure }
}

/**
 * Makes one attempt and yields its events, calls and usage only at its end. Returns the failure, or undefined
 * if the response is complete.
 */
async function* streamOnce(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, ModelFailure | undefined> {
  let heldEvents: ModelEvent[] = []
  try {
    for await (const event of model.stream(request, signal)) {
      if (event.type === 'failure') return event.failure
      if (event.type === 'end') {
        yield* heldEvents
        yield event
        return undefined
      }
      if (event.type === 'discarded') heldEvents = []
      if (event.type === 'call' || event.type === 'usage') heldEvents.push(event)
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
