// The stored records of scheduled jobs and their runs.

/** The command that a run starts. */
export type CronKind = 'execute' | 'study' | 'research'

export interface CronJob {
  id: string
  /** Real path of the workspace in which the runs of the job work. */
  workspace: string
  /** Name of the job, unique in the workspace. */
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
  /** The next slot that no scheduler has handled, in milliseconds since 1970; null while the job is off. */
  next: number | null
  created: number
}

/** `skipped`: the previous run had not ended. `interrupted`: its process died. */
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
  /** The scheduled time of the run. */
  slot: number
  state: CronRunState
  /** True if the run began more than a minute after its slot. */
  late: boolean
  /** Number of earlier slots that the run replaces. */
  missed: number
  /** The process responsible for it: first the one that claimed it, then the one that runs it. */
  owner: string
  /** Changes with each claim. A process with an old claim may not begin the run. */
  claim: string
  created: number
  started: number | null
  ended: number | null
  /** The thread or study with the result. */
  thread: string | null
  exit: number | null
  /** Beginning of the answer, or why the answer is missing. */
  note: string
}

export interface CronSlot {
  job: string
  /** `next` of the job as it was read, because another scheduler may have been faster. */
  expected: number
  slot: number
  next: number | null
  late: boolean
  missed: number
  owner: string
  /** Largest number of open runs of all jobs. */
  maxOpen: number
}

export interface CronStore {
  /**
   * Adds a job and returns it. Throws FailureError `bad_args` if the name exists, `limit_reached` above 100
   * jobs a workspace.
   */
  add(job: Omit<CronJob, 'id' | 'created' | 'enabled'>): CronJob
  /**
   * Returns the jobs of a workspace in order of their names; without a workspace, those of all workspaces.
   */
  list(workspace?: string): CronJob[]
  get(id: string): CronJob | undefined
  /**
   * Returns the job with a name, an id, or an unambiguous beginning of an id (at least 4 characters).
   * Throws FailureError `not_found`.
   */
  find(workspace: string, name: string): CronJob
  /** Removes a job and its history. */
  remove(id: string): void
  /** Sets the next slot. `next` null turns the job off. */
  setNext(id: string, next: number | null): void
  /** Returns enabled jobs whose next slot is not after `now`, the oldest slot first. */
  due(now: number): CronJob[]
  /** Returns the earliest slot of all enabled jobs. */
  earliest(): number | undefined
  /**
   * Records the run of one slot in one transaction, so that only one scheduler does so. Returns the run:
   * `claimed`, or `skipped` if an earlier run of the job is open. Returns undefined if another scheduler was
   * faster, the job has changed, or `maxOpen` runs are open.
   */
  take(slot: CronSlot): CronRun | undefined
  /** Claims a run that a user requests, outside the schedule. */
  claim(job: string, owner: string): CronRun
  /** Turns a claimed run into a running one; undefined if this claim is no longer valid. */
  begin(id: string, claim: string, owner: string): CronRun | undefined
  end(id: string, end: Pick<CronRun, 'state' | 'thread' | 'exit' | 'note'>): void
  /**
   * Handles runs whose process has ended. Runs that had not begun are claimed again and returned; the
   * others become interrupted.
   */
  recover(owner: string, isAlive: (owner: string, ageMs: number) => boolean): CronRun[]
  run(id: string): CronRun | undefined
  /** Returns at most `limit` runs of a job, latest slot first. */
  history(job: string, limit: number): CronRun[]
}
