// One count of what a provider still lets through, shared by all processes of a data directory.
import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { withLocks } from '../../base/files/path-locks.ts'
import { countOf, isObject, listOf, objectOf } from '../../base/untrusted-json.ts'
import { maxResetMs, readRateLimits } from './limit-headers.ts'

/** What one answer said: so many are left until then, in milliseconds since 1970. */
interface LimitStatement {
  remaining: number
  resetAt: number
}

interface BucketLimit {
  limit: number
  /** Each holds until its time, and the least of them counts; empty: it is whole again. */
  statements: LimitStatement[]
}

/** The file's content. Nothing in it belongs to a process, so nothing is lost or left over with one. */
interface BucketState {
  /** When it was written, milliseconds since 1970. */
  at: number
  limits: Record<string, BucketLimit>
  /** When requests were sent that nothing has been heard of yet. */
  sent: number[]
}

/** Of tokens, nobody knows what a request will count: they make it wait once nearly none are left. */
const spentShare = 0.01

/** Pause between two looks where no answer has said when there is room again. */
const lookMs = 50

/** So long after the last request was sent nothing is waited for but an answer to what is on its way. */
const maxUntoldMs = 1_000

/**
 * Resolves once a request may be sent, and counts it as sent. `wait` is called once with the milliseconds to
 * go, when there are any. Waits for at most a minute in all, whatever the file says; where the file cannot be
 * used, not at all. Rejects with the reason of `signal`.
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
    const pause = await change(file, now, (state, at) => {
      const ms = waited >= maxResetMs ? 0 : waitIn(state, at)
      if (ms === 0) state.sent.push(at)
      return ms === 0 ? { state, value: 0 } : { value: ms }
    })
    if (!pause) return
    const ms = Math.min(pause, maxResetMs - waited)
    if (!isAnnounced && ms > lookMs) wait(ms)
    isAnnounced ||= ms > lookMs
    await sleep(ms, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    })
  }
}

/** Milliseconds until there may be room; 0 when there is. */
function waitIn({ limits, sent }: BucketState, now: number): number {
  let longest = 0
  for (const [kind, { limit, statements }] of Object.entries(limits)) {
    const remaining = Math.min(limit, ...statements.map((one) => one.remaining))
    const isFree =
      kind === 'requests' ? remaining - sent.length >= 1 : remaining > limit * spentShare || limit < 1
    if (isFree) continue
    const soonest = Math.min(...statements.map(({ resetAt }) => resetAt))
    if (statements.length > 0) longest = Math.max(longest, soonest - now)
    // what one sent is what all see: those who wait go one after the other, however long each has waited
    else if (sent.some((at) => at > now - maxUntoldMs)) longest = Math.max(longest, lookMs)
  }
  return longest
}

/**
 * Takes in what an answer says of the limits; without `headers` none came, and what was sent counts no more.
 * `now` is when the answer came. Never rejects: a limit that is not kept is answered by the provider.
 */
export async function learnRateLimit(
  file: string,
  status: number,
  headers: IncomingHttpHeaders | undefined,
  now = Date.now(),
): Promise<void> {
  const answered = headers ? readRateLimits(status, headers, now) : {}
  await change(file, Date.now, (state) => {
    // which of them was answered does not matter, only how many are still on their way
    state.sent.shift()
    for (const [kind, { limit, remaining, resetMs }] of Object.entries(answered)) {
      const statements = state.limits[kind]?.statements ?? []
      state.limits[kind] = {
        limit,
        statements: addStatement(statements, { remaining, resetAt: now + resetMs }),
      }
    }
    return { state, value: 0 }
  }).catch(() => undefined)
}

/** Those that a provider counts apart at the edge of its time are two; no more are kept than this. */
const maxStatements = 8

/**
 * Answers do not arrive in the order in which they were counted, and the first ones of a provider's next time
 * may come before this one is over here. So none replaces another: one goes where another says no more, for
 * no shorter.
 */
function addStatement(known: LimitStatement[], added: LimitStatement): LimitStatement[] {
  const saysAll = (one: LimitStatement, other: LimitStatement) =>
    one.remaining <= other.remaining && one.resetAt >= other.resetAt
  if (known.some((one) => saysAll(one, added))) return known
  return [...known.filter((one) => !saysAll(added, one)), added].slice(-maxStatements)
}

/** One look at the file, under its lock; undefined where it cannot be kept. */
async function change(
  file: string,
  clock: () => number,
  work: (state: BucketState, now: number) => { state?: BucketState; value: number },
): Promise<number | undefined> {
  const dir = dirname(file)
  try {
    makeDirectory(dir, 0o700)
    return await withLocks(dir, [file], async () => {
      // read once the lock is held: whoever held it has written a moment ago
      const now = clock()
      const { state, value } = work(readState(file, now), now)
      // a file that a crash has torn reads as an empty one, which is all that is lost
      if (state) writeFileSync(file, JSON.stringify({ ...state, at: now }), { mode: 0o600 })
      return value
    })
  } catch {
    return undefined
  }
}

/** Clocks of processes on one machine differ by less. */
const maxSkewMs = 1_000

/** What the file says and still holds: a limit whose time has come is whole again. */
function readState(file: string, now: number): BucketState {
  const empty: BucketState = { at: now, limits: {}, sent: [] }
  let found: unknown
  try {
    found = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return empty
  }
  const at = countOf(objectOf(found)?.at)
  // written by a clock that was ahead of this one: its moments say nothing
  if (at === undefined || at > now + maxSkewMs) return empty
  const limits: Record<string, BucketLimit> = {}
  for (const [kind, entry] of Object.entries(objectOf(objectOf(found)?.limits) ?? {})) {
    if (!isObject(entry)) continue
    const limit = countOf(entry.limit)
    if (limit === undefined) continue
    const isHolding = ({ resetAt }: LimitStatement) => resetAt > now && resetAt <= at + maxResetMs
    limits[kind] = { limit, statements: readStatements(entry.statements).filter(isHolding) }
  }
  const sent = listOf(objectOf(found)?.sent).map(countOf)
  return { at, limits, sent: sent.filter((one) => one !== undefined && one > now - maxResetMs) as number[] }
}

function readStatements(value: unknown): LimitStatement[] {
  return listOf(value).flatMap((entry) => {
    const [remaining, resetAt] = [objectOf(entry)?.remaining, objectOf(entry)?.resetAt].map(countOf)
    return remaining === undefined || resetAt === undefined ? [] : [{ remaining, resetAt }]
  })
}
