// Who leads a study: one process at a time, by a lease of its own; whatever it writes carries the fence of that lease.
import { UserError } from '../../base/errors.ts'
import type { Fence, Journal, NewLine } from '../../store/journal/journal.ts'
import { Fenced, type Stop } from '../work/stop.ts'
import { type Log, openLog } from './follow.ts'
import type { Lead } from './lead.ts'

/** The task that the lease is on. */
export const chairTask = 'coordinator'

export interface Chair {
  readonly lead: Lead
  readonly log: Log
  readonly fence: Fence
  /** Aborts when another process has taken over. */
  readonly gone: AbortSignal
  /** Appends and takes in what was appended; false when a key was taken. Throws Fenced. */
  write(...batch: NewLine[]): Promise<boolean>
  /** Why not to go on, if so. Throws Fenced. */
  check(): Promise<Stop | undefined>
}

/**
 * Runs `work` in the chair. Throws UserError (exit 1) while another process leads the study. `soft`: a person wants
 * it to stop.
 */
export async function inChair<T>(
  lead: Lead,
  soft: AbortSignal,
  work: (chair: Chair) => Promise<T>,
): Promise<T> {
  const { journal, study, owner, leaseMs, beatMs } = lead
  const fence = await claim(lead)
  const gone = new AbortController()
  const beat = setInterval(() => {
    journal.beat(study, fence, leaseMs).then(
      (held) => void (held || gone.abort(new Fenced())),
      // the next write meets the same trouble, and tells it
      () => undefined,
    )
  }, beatMs)
  try {
    const log = await openLog(lead)
    return await work({
      lead,
      log,
      fence,
      gone: gone.signal,
      async write(...batch) {
        const done = await journal.append(study, batch, fence)
        if (done.state === 'fenced') throw new Fenced()
        await log.catchUp()
        return done.state === 'ok'
      },
      async check() {
        gone.signal.throwIfAborted()
        if (soft.aborted) return { why: 'cancelled' }
        await log.catchUp()
        if (log.state.status === 'cancelled') return { why: 'cancelled' }
        return Date.now() >= log.state.head.deadline ? { why: 'deadline' } : undefined
      },
    })
  } finally {
    clearInterval(beat)
    await journal.release(study, chairTask, owner, false)
  }
}

async function claim({ journal, study, owner, leaseMs }: Lead): Promise<Fence> {
  const claimed = await journal.claim({ study, task: chairTask, epoch: 0 }, owner, leaseMs)
  if (claimed.state === 'ok') return { task: chairTask, epoch: claimed.epoch, owner }
  await demandEmpty(journal, study)
  throw new UserError(`study ${study} is led by another process`, { exit: 1 })
}

/** Throws UserError (exit 1) while a process leads the study. */
export async function demandEmpty(journal: Journal, study: string): Promise<void> {
  const holder = (await journal.leases(study)).find(({ task }) => task === chairTask)?.owner
  if (holder === undefined) return
  const pid = /-(\d+)$/.exec(holder)?.[1] ?? 'unknown'
  const host = holder.slice(0, Math.max(0, holder.length - pid.length - 1))
  throw new UserError(`study ${study} is already running as pid ${pid}${host === '' ? '' : ` on ${host}`}`, {
    hint: 'anode study watch follows it, anode study cancel ends it',
    exit: 1,
  })
}
