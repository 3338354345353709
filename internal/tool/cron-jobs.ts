// The capability of scheduled jobs of one workspace, for tools and commands.
import type { CronJob, CronKind, CronRun } from '../store/cron/cron-store.ts'

export interface CronRequest {
  /** Name of the job. Default: the first words of the prompt. */
  name?: string
  schedule: string
  /** Time zone of the schedule. Default: the local zone. */
  timezone?: string
  kind: CronKind
  prompt: string
  /** Flags of the command that the job starts, by name without dashes. */
  flags: Readonly<Record<string, string>>
}

export type CronJobStatus = CronJob & { last: CronRun | undefined }

/**
 * Operations on scheduled jobs. An operation that is impossible throws FailureError `bad_args`,
 * `not_found` or `limit_reached`.
 */
export interface CronJobs {
  create(request: CronRequest): Promise<CronJob>
  list(): Promise<CronJobStatus[]>
  /** Returns a job by name, id or the beginning of an id. */
  find(job: string): Promise<CronJob>
  remove(job: string): Promise<CronJob>
  /** Turns a job on or off. An enabled job runs at its next scheduled time. */
  enable(job: string, enabled: boolean): Promise<CronJob>
  /** Returns the runs of a job, newest first. */
  history(job: string, limit: number): Promise<CronRun[]>
  /** Returns a line for crontab that runs due jobs every minute. */
  crontabLine(): string
}
