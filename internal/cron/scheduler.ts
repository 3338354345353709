// The scheduler: settles every slot that is due, once over all schedulers of a data directory.
import { isAlive, processIdentity } from '../base/process-identity.ts'
import { waitAtMost } from '../base/time-limit.ts'
import type { CronJob, CronRun, CronStore } from '../store/cron/cron-store.ts'
import { parseSchedule } from './schedule.ts'

/** Runs at once, over all schedulers. */
const maxOpen = 2
/** A slot older than this when its run is claimed makes the run late. */
const lateMs = 60_000
/** Missed slots are counted up to here. */
const maxMissed = 1_000
/** Jobs may be added by another process meanwhile. */
const maxPauseMs = 10_000

interface SchedulerOptions {
  store: CronStore
  /** Milliseconds since 1970. */
  now: () => number
  /** Runs a claimed slot; resolves when its process has ended, and never rejects. */
  start(run: CronRun, job: CronJob): Promise<void>
  /** Told of each slot that is settled, claimed ones and skipped ones. */
  report(run: CronRun, job: CronJob): void
}

/**
 * Does what is due until `signal` aborts, or, with `once`, until nothing more is due. Resolves when all that
 * it has started has ended.
 */
export async function runScheduler(
  options: SchedulerOptions & { once: boolean; signal: AbortSignal },
): Promise<void> {
  const { store, now, signal, once } = options
  const active = new Set<Promise<void>>()
  const begin = (run: CronRun, job: CronJob) => {
    const ended: Promise<void> = options.start(run, job).finally(() => active.delete(ended))
    active.add(ended)
  }
  while (!signal.aborted) {
    settleDueSlots(options, begin)
    if (once && active.size === 0) return
    const next = store.earliest()
    const pause = Math.min(maxPauseMs, Math.max(next === undefined ? maxPauseMs : next - now(), 50))
    // a run that ends makes room for what waits
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

/** Of several slots that have passed the last one is taken, for all of them. */
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
