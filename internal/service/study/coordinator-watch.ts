// Watch over the coordinators of a worker's studies. A coordinator is the process that directs a study and
// reads the results of its tasks.
import type { Journal } from '../../store/journal/journal.ts'
import { coordinatorTask } from '../../study/coordinator/coordinator-lease.ts'

export interface CoordinatorWatch {
  /**
   * Returns a signal that aborts when the study loses its coordinator, or undefined if it has no
   * coordinator now. Without a coordinator, no task may begin. If `begin` returned a signal, call `end`
   * when the task has ended.
   */
  begin(study: string): Promise<AbortSignal | undefined>
  end(study: string): void
  close(): void
}

interface WatchedStudy {
  running: number
  /** Number of consecutive checks that found no coordinator. */
  missed: number
  gone: AbortController
}

/**
 * Watches the coordinators. A coordinator counts as gone when its lease was missing in `checks` consecutive
 * checks, `everyMs` apart. An unreachable server does not count.
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
      // an error is ignored, because the next write meets the same error and reports it
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
