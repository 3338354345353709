// Questions of a run at which nobody looks: answered no after a while, where the person has set that.

const nobodyThere = 'nobody was there to answer'

interface WatchedRun {
  /** How many clients are attached, beside the process of the run itself. */
  clients(): number
  /** When the last one has left that stayed, in milliseconds since 1970. */
  left(): number
  /** Questions that wait for a person. */
  waiting(): number
  refuse(why: string): void
}

/** `look` is to be called after every event of the run, and when a client has come or gone. */
export function refuseUnattended(run: WatchedRun, ms: number): { look(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let asked: number | undefined
  const look = () => {
    clearTimeout(timer)
    asked = run.waiting() > 0 ? (asked ?? Date.now()) : undefined
    if (asked === undefined || run.clients() > 0) return
    const rest = Math.max(asked, run.left()) + ms - Date.now()
    if (rest <= 0) run.refuse(nobodyThere)
    else timer = setTimeout(look, rest)
  }
  return { look, stop: () => clearTimeout(timer) }
}
