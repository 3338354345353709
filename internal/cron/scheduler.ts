// Scheduler that handles each due slot (a time of a job's schedule) once, although several schedulers may
// share a data directory.
import { isAlive, processIdentity } from '../base/process-identity.ts'
import { waitAtMost } from '../base/time-limit.ts'
import type { CronJob, CronRun, CronStore } from '../store/cron/cron-store.ts'
import { parseSchedule } from './schedule.ts'

/** Largest number of concurrent runs of all schedulers together; further due slots wait. */
const maxOpen = 2
/** Delay in milliseconds above which a run is marked as late. A run after missed slots is always late. */
const lateMs = 60_000
/** Largest number of missed slots that one run records; further ones are not counted. */
const maxMissed = 1_000
/** Largest number of milliseconds between two checks, because another process may add jobs. */
const maxPauseMs = 10_000

interface SchedulerOptions {
  store: CronStore
  /** Returns the time in milliseconds since 1970. */
  now: () => number
  /** Runs a claimed slot. Resolves when its process has ended, and never rejects. */
  start(run: CronRun, job: CronJob): Promise<void>
  /**
   * Reports each slot that was handled: claimed for a run, claimed again after its process died before the
   * run began, or skipped.
   */
  report(run: CronRun, job: CronJob): void
}

/**
 * Runs due slots until `signal` aborts, or with `once` until a check finds no slot that it can start and no
 * run is active. Resolves when all started runs have ended.
 */
export async function runScheduler(
  options: SchedulerOptions & { once: boolean; signal: AbortSignal },
): Promise<void> {
  const { store, now, signal, once } = options
  const active = new Set<Promise<void>>()
  const begin = (run: CronRun, job: CronJob) => {
    const runEnd: Promise<void> = options.start(run, job).finally(() => active.delete(runEnd))
    active.add(runEnd)
  }
  while (!signal.aborted) {
    settleDueSlots(options, begin)
    if (once && active.size === 0) return
    const next = store.earliest()
    const pause = Math.min(maxPauseMs, Math.max(next === undefined ? maxPauseMs : next - now(), 50))
    // the end of a run ends the pause early, because it makes room for a waiting run
    await waitAtMost(active.size > 0 ? Promise.race(active) : forever, pause, signal)
  }
  await Promise.all(active)
}

const forever = new Promise<void>(() => undefined)

function settleDueSlots(
  { store, now, report }: SchedulerOptions,
  begin: (run: CronRun, job: CronJob) => void,
): void {
  const owner = processIdentity()
  const settle = (run: CronRun | undefined) => {
    const job = run && store.get(run.job)
    if (!job) return
    report(run, job)
    if (run.state === 'claimed') begin(run, job)
  }
  for (const run of store.recover(owner, isAlive)) settle(run)
  for (const job of store.due(now())) settle(takeLatest(store, job, owner, now()))
}

/**
 * Claims the latest due slot of a job; earlier slots are only counted as missed. Returns the run, which is
 * `skipped` if an earlier run of the job is open. Returns undefined if no run was recorded, for example
 * because two runs are open.
 */
function takeLatest(store: CronStore, job: CronJob, owner: string, now: number): CronRun | undefined {
  const expected = job.next as number
  const schedule = parseSchedule(job.schedule, job.timezone)
  const slot = Math.max(schedule.latest(now) ?? expected, expected)
  const passed = slot === expected ? [] : schedule.following(expected - 1, maxMissed)
  return store.take({
    job: job.id,
    expected,
    slot,
    owner,
    maxOpen,
    next: schedule.next(now) ?? null,
    late: now - slot > lateMs || slot !== expected,
    missed: passed.filter((at) => at < slot).length,
  })
}
