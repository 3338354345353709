// Functions that the commands of `anode cron` share. They open the scheduled jobs of the workspace, convert
// errors, and format runs and times.
import { FailureError, UserError } from '../../../internal/base/errors.ts'
import { withWorkspaceJobs } from '../../../internal/service/features/workspace-jobs.ts'
import type { CronRun } from '../../../internal/store/cron/cron-store.ts'
import type { CronJobs } from '../../../internal/tool/cron-jobs.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CommandIo } from '../verb.ts'

/**
 * Opens the scheduled jobs of the workspace for `use`, and resolves to its result. Invalid arguments, unknown
 * jobs and reached limits become UserErrors.
 */
export async function withJobs<T>(io: CommandIo, use: (jobs: CronJobs) => Promise<T>): Promise<T> {
  return withWorkspaceJobs(io.cwd, io.env, use).catch((error: unknown) => {
    throw asUserError(error)
  })
}

export function asUserError(error: unknown): unknown {
  if (!(error instanceof FailureError)) return error
  const { code, message, hint } = error.failure
  if (code !== 'bad_args' && code !== 'not_found' && code !== 'limit_reached') return error
  // An unknown job name and an invalid schedule are errors of usage, unlike a reached limit.
  const exit = code === 'limit_reached' ? exitCodes.failed : exitCodes.usage
  return new UserError(message, { exit, hint })
}

/** Returns a run as `--json` prints it, without the fields that only schedulers use. */
export function describeRunJson({ claim: _, owner: __, ...run }: CronRun): Omit<CronRun, 'claim' | 'owner'> {
  return run
}

/** Formats a moment, in milliseconds since 1970, in UTC to the minute: `2026-10-25T00:15Z`. */
export const formatSlot = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}Z`
