// The remaining rate limits of a provider, shared by all processes of a data directory, or by all machines
// of a study.
import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { withLocks } from '../../base/files/path-locks.ts'
import { countOf, isObject, listOf, objectOf } from '../../base/untrusted-json.ts'
import { maxResetMs, readRateLimits } from './limit-headers.ts'
import { sharedLimits } from './shared-limits.ts'

/**
 * A report of a provider's response about one limit: how much remains until `resetAt`, in
 * milliseconds since 1970.
 */
interface LimitStatement {
  remaining: number
  resetAt: number
}

interface BucketLimit {
  limit: number
  /**
   * Reports of responses that are still valid. The lowest remaining amount counts; without reports, the full
   * limit is available.
   */
  statements: LimitStatement[]
  /**
   * Time after which the limit is dropped, in milliseconds since 1970, if it is only a guess after a refusal.
   * Undefined for a limit that the provider has stated.
   */
  forgetAt?: number | undefined
}

/** The content of the file. It contains nothing about single processes, so a dead process leaves no trace. */
interface BucketState {
  /** Time of writing in milliseconds since 1970. */
  at: number
  limits: Record<string, BucketLimit>
  /** Times at which requests were sent that have no response yet. */
  sent: number[]
}

/**
 * Share of the token limit that must remain before a request is sent, because the tokens of a request are
 * unknown in advance.
 */
const spentShare = 0.01

/** Milliseconds between two checks while a request waits and no response has said when the limit resets. */
const lookMs = 50

/** Shortest wait in milliseconds that is announced. A shorter one ends before its notice is read. */
const announcedMs = 1000

/**
 * Milliseconds during which a sent request makes the next one wait for its response, which reports what
 * remains. After that, the next request is sent anyway.
 */
const maxUntoldMs = 1_000

/**
 * Resolves once a request may be sent, and counts it as sent. `wait` is called once with the remaining
 * milliseconds, if they are more than a short pause. Waits at most a minute in total, and not at all if the
 * limits cannot be read and stored. Rejects with the reason of `signal`.
 */
export async function awaitRateLimit(
  file: string,
  signal: AbortSignal,
  wait: (ms: number) => void,
  now = Date.now,
): Promise<void> {
  const began = performance.now()
  let isAnnounced = false
  for (;;) {
    signal.throwIfAborted()
    const waited = performance.now() - began
    const pause = await changeState(file, now, (state, at) => {
      const ms = waited >= maxResetMs ? 0 : waitIn(state, at)
      if (ms === 0) state.sent.push(at)
      return ms === 0 ? { state, value: 0 } : { value: ms }
    })
    if (!pause) return
    const ms = Math.min(pause, maxResetMs - waited)
    if (!isAnnounced && ms >= announcedMs) wait(ms)
    isAnnounced ||= ms >= announcedMs
    await sleep(ms, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    })
  }
}

/** Returns the milliseconds to wait before a request may be possible; 0 if a request is possible now. */
function waitIn({ limits, sent: sentTimes }: BucketState, now: number): number {
  let longest = 0
  for (const [kind, { limit, statements }] of Object.entries(limits)) {
    const remaining = Math.min(limit, ...statements.map((one) => one.remaining))
    const isFree =
      kind === 'requests' ? remaining - sentTimes.length >= 1 : remaining > limit * spentShare || limit < 1
    if (isFree) continue
    const soonest = Math.min(...statements.map(({ resetAt }) => resetAt))
    if (statements.length > 0) longest = Math.max(longest, soonest - now)
    // all processes see each sent request, so waiting ones start one after the other, however long
    // each has waited
    else if (sentTimes.some((at) => at > now - maxUntoldMs)) longest = Math.max(longest, lookMs)
  }
  return longest
}

/**
 * Removes one sent request, and stores the limits of its response. `headers` is undefined if no response
 * came. `now` is the time of the response, and `bodyWaitMs` the wait that its text requests. Never rejects,
 * because the provider itself enforces a limit that is not stored.
 */
export async function learnRateLimit(
  file: string,
  status: number,
  headers: IncomingHttpHeaders | undefined,
  now = Date.now(),
  bodyWaitMs?: number,
): Promise<void> {
  const answered = headers ? readRateLimits(status, headers, now, bodyWaitMs) : {}
  // the clock of a shared store may differ from that of this machine
  await changeState(file, Date.now, (state, at) => {
    const answeredAt = sharedLimits() ? at : now
    // Only the number of unanswered requests matters, so the oldest time is removed and not that of
    // the answered request.
    state.sent.shift()
    for (const [kind, { limit, remaining, resetMs, isGuess = false }] of Object.entries(answered)) {
      const known = state.limits[kind]
      const statements = addStatement(known?.statements ?? [], { remaining, resetAt: answeredAt + resetMs })
      const isStated = known !== undefined && known.forgetAt === undefined
      if (isGuess && isStated) state.limits[kind] = { limit: known.limit, statements }
      else state.limits[kind] = { limit, statements, forgetAt: isGuess ? answeredAt + guessMs : undefined }
    }
    return { state, value: 0 }
  }).catch(() => undefined)
}

/**
 * Milliseconds after a refusal that stated no limit during which requests start one after the other. Later
 * they start at any time again, because the provider no longer refuses them.
 */
const guessMs = 60_000

/**
 * Largest number of reports that are kept for one limit; the oldest ones are dropped. A provider seldom has
 * more than two, at the change of its period.
 */
const maxStatements = 8

/**
 * Adds a report, unless a known report is at least as strict: no more remains, and until no earlier time.
 * Removes known reports that are less strict than the new one. Responses may arrive in another order than the
 * provider counted them, so the last one alone is not reliable.
 */
function addStatement(statements: LimitStatement[], added: LimitStatement): LimitStatement[] {
  const saysAll = (one: LimitStatement, other: LimitStatement) =>
    one.remaining <= other.remaining && one.resetAt >= other.resetAt
  if (statements.some((one) => saysAll(one, added))) return statements
  return [...statements.filter((one) => !saysAll(added, one)), added].slice(-maxStatements)
}

/**
 * Reads the limits and writes those that `work` returns, if any, as one step: in the shared store, where
 * `work` may run several times, else in the file under its lock. Resolves to the value of `work`; undefined
 * if the store cannot be reached or the file cannot be written.
 */
async function changeState(
  file: string,
  clock: () => number,
  work: (state: BucketState, now: number) => { state?: BucketState; value: number },
): Promise<number | undefined> {
  const dir = dirname(file)
  const shared = sharedLimits()
  try {
    if (shared)
      return await shared.change(basename(file), (text, now) => {
        const { state, value } = work(parseState(text ?? '', now), now)
        return { text: state && JSON.stringify({ ...state, at: now }), value }
      })
    makeDirectory(dir, 0o700)
    return await withLocks(dir, [file], async () => {
      // read after the lock is taken, because its last owner has just written
      const now = clock()
      const { state, value } = work(readState(file, now), now)
      // a damaged file is read as an empty one, and only its content is lost
      if (state) writeFileSync(file, JSON.stringify({ ...state, at: now }), { mode: 0o600 })
      return value
    })
  } catch {
    return undefined
  }
}

/**
 * Largest difference between the clocks of processes, in milliseconds. Content that a clock further ahead has
 * written is ignored.
 */
const maxSkewMs = 1_000

function readState(file: string, now: number): BucketState {
  try {
    return parseState(readFileSync(file, 'utf8'), now)
  } catch {
    return parseState('', now)
  }
}

/**
 * Returns the valid content of a text, without reports whose reset time has passed or is implausibly late,
 * and without sent requests more than a minute old. Empty for invalid JSON, and for a text whose time is
 * missing or more than `maxSkewMs` in the future.
 */
function parseState(text: string, now: number): BucketState {
  const empty: BucketState = { at: now, limits: {}, sent: [] }
  let storedState: unknown
  try {
    storedState = JSON.parse(text)
  } catch {
    return empty
  }
  const at = countOf(objectOf(storedState)?.at)
  // A clock that is ahead of this one wrote the file, so the times in it cannot be used.
  if (at === undefined || at > now + maxSkewMs) return empty
  const limits: Record<string, BucketLimit> = {}
  for (const [kind, entry] of Object.entries(objectOf(objectOf(storedState)?.limits) ?? {})) {
    if (!isObject(entry)) continue
    const limit = countOf(entry.limit)
    const forgetAt = countOf(entry.forgetAt)
    if (limit === undefined || (forgetAt !== undefined && forgetAt <= now)) continue
    const isHolding = ({ resetAt }: LimitStatement) => resetAt > now && resetAt <= at + maxResetMs
    limits[kind] = { limit, statements: readStatements(entry.statements).filter(isHolding), forgetAt }
  }
  const sentTimes = listOf(objectOf(storedState)?.sent).map(countOf)
  return {
    at,
    limits,
    sent: sentTimes.filter((one) => one !== undefined && one > now - maxResetMs) as number[],
  }
}

function readStatements(value: unknown): LimitStatement[] {
  return listOf(value).flatMap((entry) => {
    const [remaining, resetAt] = [objectOf(entry)?.remaining, objectOf(entry)?.resetAt].map(countOf)
    return remaining === undefined || resetAt === undefined ? [] : [{ remaining, resetAt }]
  })
}
