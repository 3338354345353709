// Denial of questions that wait too long while no client is connected, if the user has configured a time.

const noUserReason = 'no user answered in time'

interface WatchedRun {
  /** Number of connected clients, without the run's process itself. */
  clients(): number
  /**
   * When the last client left that was connected for longer than 500 ms, in milliseconds since 1970;
   * 0 before that.
   */
  left(): number
  /** Number of approvals and questions that wait for the user. */
  waiting(): number
  refuse(why: string): void
}

/**
 * Denies the waiting approvals and questions if no client is connected. `ms` milliseconds have to pass since
 * the run began to wait for the user, and since the last client left. Another question does not extend this
 * time. Call `look` after every event of the run, and when a client connects or leaves.
 */
export function refuseUnattended(run: WatchedRun, ms: number): { look(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let waitingSince: number | undefined
  const look = () => {
    clearTimeout(timer)
    waitingSince = run.waiting() > 0 ? (waitingSince ?? Date.now()) : undefined
    if (waitingSince === undefined || run.clients() > 0) return
    const rest = Math.max(waitingSince, run.left()) + ms - Date.now()
    if (rest <= 0) run.refuse(noUserReason)
    else timer = setTimeout(look, rest)
  }
  return { look, stop: () => clearTimeout(timer) }
}
