// Whether the studies that a worker serves still have a coordinator: without one nobody reads what is found.
import type { Journal } from '../../store/journal/journal.ts'
import { coordinatorTask } from '../../study/coordinator/coordinator-lease.ts'

export interface CoordinatorWatch {
  /**
   * A signal that aborts when the study is left without a coordinator; undefined: there is none now, so that
   * nothing is begun under totals that whoever takes it up is about to change. Pair it with `end`.
   */
  begin(study: string): Promise<AbortSignal | undefined>
  end(study: string): void
  close(): void
}

interface WatchedStudy {
  running: number
  /** Looks in a row that found no coordinator. */
  missed: number
  gone: AbortController
}

/**
 * `looks` times in a row, every `everyMs`, the coordinator's lease has to be missing: a server that is away
 * proves nothing.
 */
export function watchCoordinators(journal: Journal, everyMs = 5_000, checks = 12): CoordinatorWatch {
  const studies = new Map<string, WatchedStudy>()
  const checkLease = async (study: string, watched: WatchedStudy) => {
    const leases = await journal.leases(study)
    if (leases.some(({ task }) => task === coordinatorTask)) {
      watched.missed = 0
      if (watched.gone.signal.aborted) watched.gone = new AbortController()
    } else if (++watched.missed >= checks) watched.gone.abort(new Error('the coordinator is gone'))
  }
  const timer = setInterval(() => {
    for (const [study, watched] of studies) {
      // whoever writes next meets the trouble and tells it
      if (watched.running > 0) checkLease(study, watched).catch(() => undefined)
    }
  }, everyMs)
  return {
    async begin(study) {
      const watched = studies.get(study) ?? { running: 0, missed: 0, gone: new AbortController() }
      studies.set(study, watched)
      await checkLease(study, watched)
      if (watched.missed > 0) return undefined
      watched.running++
      return watched.gone.signal
    },
    end(study) {
      const watched = studies.get(study)
      if (watched) watched.running--
    },
    close: () => clearInterval(timer),
  }
}
