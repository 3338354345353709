// The capability of scheduled jobs: those of one workspace, as tools and commands handle them.
import type { CronJob, CronKind, CronRun } from '../store/cron/cron-store.ts'

export interface CronRequest {
  /** Absent: made of the first words of the prompt. */
  name?: string
  schedule: string
  /** Absent: the local zone. */
  timezone?: string
  kind: CronKind
  prompt: string
  /** Flags of the command that it starts, by name without dashes. */
  flags: Readonly<Record<string, string>>
}

export type CronJobStatus = CronJob & { last: CronRun | undefined }

/** All throw FailureError `bad_args`, `not_found` or `limit_reached` for what cannot be done. */
export interface CronJobs {
  create(request: CronRequest): Promise<CronJob>
  list(): Promise<CronJobStatus[]>
  /** By name, id or the beginning of an id. */
  find(job: string): Promise<CronJob>
  remove(job: string): Promise<CronJob>
  /** Turned on, a job begins with the next slot from now. */
  enable(job: string, enabled: boolean): Promise<CronJob>
  /** Newest first. */
  history(job: string, limit: number): Promise<CronRun[]>
  /** A line for crontab that does every minute what is due. */
  crontabLine(): string
}
