// One run of a scheduled job, from its claim by a scheduler, which reserves the run, to its recorded end.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { processIdentity } from '../../base/process-identity.ts'
import { withDataStore } from '../../runtime/workspace/data-store.ts'
import type { CronJob, CronRun } from '../../store/cron/cron-store.ts'

/**
 * Begins the run of `claim`, a text of the form `RUN:CLAIM` that reserves the run for this process. Resolves
 * to undefined if the claim is not valid any more, for example because another process has claimed the run or
 * the job was removed.
 */
export async function beginRun(
  claim: string,
  env: EnvironmentVariables,
): Promise<{ run: CronRun; job: CronJob } | undefined> {
  const [id = '', token = ''] = claim.split(':')
  return withDataStore(env, ({ cron }) => {
    const run = cron.begin(id, token, processIdentity())
    const job = run && cron.get(run.job)
    return job && { run, job }
  })
}

export async function endRun(
  { id }: CronRun,
  end: Pick<CronRun, 'state' | 'thread' | 'exit' | 'note'>,
  env: EnvironmentVariables,
): Promise<void> {
  await withDataStore(env, ({ cron }) => cron.end(id, end))
}
