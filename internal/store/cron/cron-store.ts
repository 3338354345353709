// What is kept of scheduled jobs and their runs.

/** The command that a run is. */
export type CronKind = 'execute' | 'study' | 'research'

export interface CronJob {
  id: string
  /** Real path that its runs work in. */
  workspace: string
  /** Unique in the workspace. */
  name: string
  /** Five fields, or a name such as @daily. */
  schedule: string
  /** Zone of the IANA database. */
  timezone: string
  kind: CronKind
  /** The task, the question, or the policy of an experiment loop. */
  prompt: string
  /** Flags of the command that it starts, by name without dashes. */
  flags: Readonly<Record<string, string>>
  enabled: boolean
  /** The next slot nobody has looked after, in milliseconds since 1970; null while it is off. */
  next: number | null
  created: number
}

/** `skipped`: the run before it had not ended. `interrupted`: its process died. */
type CronRunState =
  | 'claimed'
  | 'running'
  | 'done'
  | 'partial'
  | 'limit'
  | 'cancelled'
  | 'failed'
  | 'skipped'
  | 'interrupted'

export interface CronRun {
  id: string
  job: string
  /** The moment of the schedule that it stands for. */
  slot: number
  state: CronRunState
  /** It began more than a minute after its slot. */
  late: boolean
  /** Earlier slots that it stands for as well. */
  missed: number
  /** Process that has to do with it: who claimed it, then who runs it. */
  owner: string
  /** Changes with each claim: whoever holds an old one may not begin. */
  claim: string
  created: number
  started: number | null
  ended: number | null
  /** Where the result stands: a thread or a study. */
  thread: string | null
  exit: number | null
  /** Beginning of the answer, or why there is none. */
  note: string
}

export interface CronSlot {
  job: string
  /** `next` of the job as it was read: another scheduler may have been faster. */
  expected: number
  slot: number
  next: number | null
  late: boolean
  missed: number
  owner: string
  /** Runs of all jobs that may be open at once. */
  maxOpen: number
}

export interface CronStore {
  /** Throws FailureError `bad_args` for a name that is taken, `limit_reached` above 100 jobs a workspace. */
  add(job: Omit<CronJob, 'id' | 'created' | 'enabled'>): CronJob
  /** By name; without a workspace those of all. */
  list(workspace?: string): CronJob[]
  get(id: string): CronJob | undefined
  /** The job of a name or id, or of the beginning of one id. Throws FailureError `not_found`. */
  find(workspace: string, name: string): CronJob
  /** Takes its history along. */
  remove(id: string): void
  /** `next` null turns the job off. */
  setNext(id: string, next: number | null): void
  /** Enabled jobs whose next slot is not after `now`, the oldest slot first. */
  due(now: number): CronJob[]
  /** The earliest slot of all enabled jobs. */
  earliest(): number | undefined
  /**
   * Settles one slot in one transaction, so that of all schedulers exactly one does: claimed, or skipped
   * while an earlier run of the job is open. Undefined: somebody else has, the job has changed, or no more
   * may open.
   */
  take(slot: CronSlot): CronRun | undefined
  /** A run that is asked for by hand, outside of the schedule. */
  claim(job: string, owner: string): CronRun
  /** Turns a claimed run into a running one; undefined when this claim no longer counts. */
  begin(id: string, claim: string, owner: string): CronRun | undefined
  end(id: string, end: Pick<CronRun, 'state' | 'thread' | 'exit' | 'note'>): void
  /**
   * Looks after runs whose process is gone: what had not begun is claimed anew and returned, what had is
   * interrupted.
   */
  recover(owner: string, isAlive: (owner: string, ageMs: number) => boolean): CronRun[]
  run(id: string): CronRun | undefined
  /** Newest first. */
  history(job: string, limit: number): CronRun[]
}
