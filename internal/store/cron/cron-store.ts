// The stored records of scheduled jobs and their runs.

/** The command that a run starts. */
export type CronKind = 'execute' | 'study' | 'research'

export interface CronJob {
  id: string
  /** Real path of the workspace in which the runs of the job work. */
  workspace: string
  /** Name of the job, unique in the workspace. */
  name: string
  /** When the job runs: five cron fields, or a name such as @daily. */
  schedule: string
  /** Time zone of the schedule, by its name in the IANA database. */
  timezone: string
  kind: CronKind
  /** Text that the command gets: a task, a question, or the policy of an experiment loop. */
  prompt: string
  /** Flags of the command that the job starts, by name without dashes. */
  flags: Readonly<Record<string, string>>
  enabled: boolean
  /**
   * The next scheduled time that no scheduler has handled, in milliseconds since 1970. Null while the job is
   * turned off, or if its schedule has no further time.
   */
  next: number | null
  created: number
}

/**
 * State of a run. `partial`: some of its work was not allowed or could not be verified. `limit`: it reached a
 * limit. `skipped`: the previous run of the job had not ended. `interrupted`: the process of the run died.
 */
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
  /**
   * The scheduled time of the run in milliseconds since 1970; for a run that the user requests, the time
   * of the request.
   */
  slot: number
  state: CronRunState
  /** True if the run was claimed more than a minute after its time, or replaces earlier scheduled times. */
  late: boolean
  /** Number of earlier scheduled times that this run replaces, counted up to 1,000. */
  missed: number
  /**
   * The process that is responsible for the run: first the one that claimed it, later the one that runs it.
   */
  owner: string
  /** Value that changes with each claim, so that a process with an old claim cannot start the run. */
  claim: string
  created: number
  started: number | null
  ended: number | null
  /** The thread or study with the result. */
  thread: string | null
  exit: number | null
  /** Beginning of the answer, or the reason why there was no answer. */
  note: string
}

export interface CronSlot {
  job: string
  /** Value of `next` when the job was read. If it has changed, another scheduler was faster. */
  expected: number
  slot: number
  next: number | null
  late: boolean
  missed: number
  owner: string
  /**
   * Limit of runs of all jobs that may be open at the same time. If it is reached, no run of a job without an
   * open run is recorded, and its scheduled time stays due.
   */
  maxOpen: number
}

export interface CronStore {
  /**
   * Adds a job and returns it. Throws FailureError `bad_args` if the name exists, and `limit_reached` if the
   * workspace has 100 jobs.
   */
  add(job: Omit<CronJob, 'id' | 'created' | 'enabled'>): CronJob
  /**
   * Returns the jobs of a workspace in order of their names; without `workspace`, all jobs in order of
   * workspace and name.
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
  /** Sets the next scheduled time of a job. With `next` null the job is turned off. */
  setNext(id: string, next: number | null): void
  /** Returns the jobs whose next scheduled time is not after `now`, the one with the earliest time first. */
  due(now: number): CronJob[]
  /** Returns the earliest next scheduled time of all jobs that are turned on; undefined if none is. */
  earliest(): number | undefined
  /**
   * Records the run of one scheduled time in one transaction, so that only one scheduler does so. Returns the
   * run: `claimed`, or `skipped` if an earlier run of the job is open. Returns undefined if another scheduler
   * was faster, the job has changed, a run for this time exists, or `maxOpen` runs of other jobs are open.
   */
  take(slot: CronSlot): CronRun | undefined
  /** Claims a run that the user requests outside of the schedule, even if the job has an open run. */
  claim(job: string, owner: string): CronRun
  /** Turns a claimed run into a running one; undefined if this claim is no longer valid. */
  begin(id: string, claim: string, owner: string): CronRun | undefined
  end(id: string, end: Pick<CronRun, 'state' | 'thread' | 'exit' | 'note'>): void
  /**
   * Handles runs whose process has ended. Runs that had not begun are claimed again for `owner` and returned;
   * all others become `interrupted`.
   */
  recover(owner: string, isAlive: (owner: string, ageMs: number) => boolean): CronRun[]
  run(id: string): CronRun | undefined
  /** Returns at most `limit` runs of a job, the one with the latest scheduled time first. */
  history(job: string, limit: number): CronRun[]
}
