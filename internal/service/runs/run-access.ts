// Access to runs in other processes: start, list, join and cancel.
import { kill } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { codeOf, FailureError, UserError } from '../../base/errors.ts'
import { createUlid } from '../../base/ids.ts'
import { timeLimit } from '../../base/time-limit.ts'
import { startAndForget } from '../../process/detached-start.ts'
import type { RunSummary } from '../../server/run-summary.ts'
import { connectSession } from '../../server/wire/remote-session.ts'
import type { SessionClient, SessionEvent } from '../../session/client.ts'
import type { SessionSnapshot } from '../../session/snapshot.ts'
import type { RunProcessOrder, RunReply } from './run-order.ts'
import {
  isRunAlive,
  type RunRecord,
  readRunRecord,
  readRunRecords,
  runSocketPath,
  standingPath,
} from './run-record.ts'
import { describeStanding, type RunStanding, readStandingFile } from './run-standing.ts'
import { readWorktreeConflict } from './worktree/worktree-conflict.ts'
import {
  branchName,
  readWorktreeRecord,
  readWorktreeRecords,
  type WorktreeRecord,
} from './worktree/worktree-record.ts'

export interface RunPlace {
  env: EnvironmentVariables
  /** Path of Anode's program file, which the processes of runs execute. */
  program: string
}

/**
 * Starts a run in another process. Resolves to `taken` if another process already serves the thread of the
 * run. Throws UserError if the run cannot start, and FailureError if its process ends without a reply.
 */
export async function startRunProcess(
  order: RunProcessOrder,
  place: RunPlace,
): Promise<Exclude<RunReply, { kind: 'refused' }>> {
  const line = await startAndForget(['--run-process'], {
    program: place.program,
    cwd: order.cwd,
    env: place.env,
    input: JSON.stringify(order),
  })
  if (line === '')
    throw new FailureError({ code: 'command_failed', message: 'the process of the run has ended at once' })
  const reply = JSON.parse(line) as RunReply
  if (reply.kind !== 'refused') return reply
  throw new UserError(reply.message, { hint: reply.hint })
}

/**
 * Joins an active run, or resumes its thread in a new process. Throws UserError or FailureError
 * if that fails.
 */
export async function openRun(
  order: RunProcessOrder & { source: { kind: 'resume' } },
  place: RunPlace,
): Promise<SessionClient> {
  const { thread } = order.source
  const data = dataDir(place.env)
  const record = readRunRecord(data, thread)
  if (record && isRunAlive(record)) {
    const joined = await joinRun(data, thread)
    if (joined) return joined
  }
  await startRunProcess(order, place)
  const joined = await joinRun(data, thread)
  if (joined) return joined
  throw new FailureError({ code: 'io', message: `the run ${thread} has ended before it could be joined` })
}

/**
 * Connects to the process of a run. Returns undefined if no process listens, or if it ends the connection.
 * Throws other errors, such as UserError for a data directory with a too long path.
 */
export async function joinRun(data: string, thread: string): Promise<SessionClient | undefined> {
  try {
    return await connectSession(runSocketPath(data, thread))
  } catch (error) {
    if (
      ['ENOENT', 'ECONNREFUSED', 'ECONNRESET'].includes(codeOf(error) ?? '') ||
      error instanceof FailureError
    )
      return undefined
    throw error
  }
}

/**
 * Returns the latest 200 runs, latest first. With `workspace`, returns only those of them that were started
 * in it, even if they work in a separate worktree.
 */
export async function listRuns(env: EnvironmentVariables, workspace?: string): Promise<RunSummary[]> {
  const data = dataDir(env)
  const records = await readRunRecords(data)
  const worktrees = new Map(readWorktreeRecords(data).map((one) => [one.thread, one]))
  const isHere = ({ thread, workspace: runWorkspace }: RunRecord) =>
    runWorkspace === workspace || worktrees.get(thread)?.origin === workspace
  const matches = records.filter((record) => workspace === undefined || isHere(record))
  return Promise.all(matches.map((record) => summarizeRun(data, record, worktrees.get(record.thread), false)))
}

/**
 * Returns the summary of a run. The state of an active run is the one that its process reports now, or
 * `running` without a report within 5 seconds. If the process lives but does not listen, the state is the
 * one that the process wrote last to its state file, or `idle` without that file. Returns undefined for
 * an unknown thread.
 */
export async function readRun(env: EnvironmentVariables, thread: string): Promise<RunSummary | undefined> {
  const data = dataDir(env)
  const record = readRunRecord(data, thread)
  const worktree = record && readWorktreeRecord(data, thread)
  return record && summarizeRun(data, record, worktree, true)
}

/**
 * Returns true if the run works or waits for an answer, even if no client is connected; false for
 * an unknown run.
 */
export async function isRunAtWork(env: EnvironmentVariables, thread: string): Promise<boolean> {
  const run = await readRun(env, thread)
  return run?.state === 'running' || run?.state === 'waiting'
}

async function summarizeRun(
  data: string,
  record: RunRecord,
  worktreeRecord: WorktreeRecord | undefined,
  isExact: boolean,
): Promise<RunSummary> {
  if (!isRunAlive(record)) return { ...describeRecord(record, worktreeRecord), ...describeEnd(record) }
  const written = () => readStandingFile(standingPath(data, record.thread), record.mark)
  const standing = (isExact ? undefined : written()) ?? (await askStanding(data, record.thread))
  if (standing === 'gone') {
    const now = await waitForEnd(data, record)
    if (!isRunAlive(now)) return { ...describeRecord(now, worktreeRecord), ...describeEnd(now) }
    // if the process no longer listens, its run has ended, unless only its socket file was removed
    return { ...describeRecord(now, worktreeRecord), state: 'idle', ...nothing, ...written() }
  }
  return { ...describeRecord(record, worktreeRecord), state: 'running', ...nothing, ...standing }
}

const nothing = { end: null, reason: null, proof: null, waits: [] }

function describeRecord(record: RunRecord, worktreeRecord: WorktreeRecord | undefined) {
  const { thread, workspace, started, ended: runEnd, title, profile, model } = record
  const worktree = worktreeRecord
    ? {
        branch: branchName(worktreeRecord.branch),
        origin: worktreeRecord.origin,
        merged: worktreeRecord.state === 'merged',
        conflict: readWorktreeConflict(worktreeRecord),
      }
    : null
  const base = { thread, workspace, worktree, started, ended: runEnd?.at ?? null }
  return { ...base, title, profile, model, tokens: null, usd: null }
}

function describeEnd({
  ended: runEnd,
}: RunRecord): Pick<RunSummary, 'state' | 'end' | 'reason' | 'proof' | 'waits'> {
  return {
    ...nothing,
    state: runEnd ? 'ended' : 'broken',
    end: runEnd?.end ?? null,
    reason: runEnd?.reason ?? null,
    proof: runEnd?.proof ?? null,
  }
}

/**
 * Asks the process of a run for its state. Resolves to `gone` if it does not listen or closes the connection,
 * and to undefined if it does not answer within 5 seconds.
 */
async function askStanding(data: string, thread: string): Promise<RunStanding | 'gone' | undefined> {
  const client = await joinRun(data, thread)
  if (!client) return 'gone'
  const limit = timeLimit(maxSnapshotMs)
  const snapshot = await takeSnapshot(client, limit)
  if (snapshot) return describeStanding(snapshot)
  return limit.aborted ? undefined : 'gone'
}

/**
 * Longest wait in milliseconds until a process that no longer listens records its end. `endingPauseMs` is the
 * time between two reads of its record.
 */
const maxEndingMs = 1_000
const endingPauseMs = 20

/**
 * Returns the record of a run once it contains an end or its process has ended, at the
 * latest after `maxEndingMs`.
 */
async function waitForEnd(data: string, record: RunRecord): Promise<RunRecord> {
  const limit = timeLimit(maxEndingMs)
  let now = record
  while (isRunAlive(now) && !limit.aborted) {
    await sleep(endingPauseMs)
    now = readRunRecord(data, record.thread) ?? record
  }
  return now
}

const maxSnapshotMs = 5_000

/**
 * Returns the snapshot (complete current state) of a run's session; undefined if its process does not listen
 * or does not answer within 5 seconds.
 */
export async function readRunSnapshot(data: string, thread: string): Promise<SessionSnapshot | undefined> {
  const client = await joinRun(data, thread)
  return client && takeSnapshot(client, timeLimit(maxSnapshotMs))
}

async function takeSnapshot(
  client: SessionClient,
  signal: AbortSignal,
): Promise<SessionSnapshot | undefined> {
  try {
    for await (const event of client.readEvents(Number.MAX_SAFE_INTEGER, signal))
      if (event.type === 'session.snapshot') return event.payload
    return undefined
  } finally {
    await client.detach()
  }
}

/** Milliseconds for a run to stop after a cancellation. Then its process is ended. */
const maxInterruptMs = 5_000

/**
 * Requests the cancellation of a run, and sends SIGTERM to its process if it does not end within 5 seconds.
 * Resolves to `ended` if it had already ended, or ended in another way before it could be cancelled. Throws
 * UserError for an unknown run.
 */
export async function cancelRun(env: EnvironmentVariables, thread: string): Promise<'cancelled' | 'ended'> {
  const data = dataDir(env)
  const record = readRunRecord(data, thread)
  if (!record) throw new UserError(`unknown run "${thread}"`, { hint: 'see `anode runs list`' })
  if (!isRunAlive(record)) return 'ended'
  // a run may have ended although its process still waits for clients
  const isAtWork = await isRunAtWork(env, thread)
  const client = await joinRun(data, thread)
  if (!client) return 'ended'
  try {
    const reply = await client.sendCommand({ id: createUlid(), type: 'interrupt' })
    const from = reply.ok ? reply.pos : 0
    for await (const event of client.readEvents(from, timeLimit(maxInterruptMs))) {
      const end = endOf(event)
      if (end !== undefined) return isAtWork && end === 'cancelled' ? 'cancelled' : 'ended'
    }
  } finally {
    await client.detach()
  }
  if (isRunAlive(readRunRecord(data, thread) ?? record)) kill(record.pid, 'SIGTERM')
  return isAtWork ? 'cancelled' : 'ended'
}

/**
 * Returns how the latest run ended, from the event of its end. Null for a snapshot without an active run,
 * because a snapshot does not contain an end. Undefined while the run works, and for any other event.
 */
function endOf(event: SessionEvent): string | null | undefined {
  if (event.type === 'run.ended') return event.payload.end
  if (event.type !== 'session.snapshot' || event.payload.run) return undefined
  return describeStanding(event.payload).end
}
