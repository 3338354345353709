// Scheduler of a data directory, which starts a process for each due run of a job.
import { existsSync } from 'node:fs'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { processIdentity } from '../../base/process-identity.ts'
import { runScheduler } from '../../cron/scheduler.ts'
import { startDetached } from '../../process/detached-start.ts'
import { withDataStore } from '../../runtime/workspace/data-store.ts'
import { readWorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { CronJob, CronRun, CronStore } from '../../store/cron/cron-store.ts'

interface RunOptions {
  env: EnvironmentVariables
  /** Signal after which no more runs start, and active runs get a request to end. */
  signal: AbortSignal
}

/**
 * Starts due jobs until `signal` aborts, or with `once` also until no job is due. Waits until the started
 * runs have ended, and resolves to those of them that the store still has.
 */
export async function runJobs(
  options: RunOptions & { once: boolean; report(run: CronRun, job: CronJob): void },
): Promise<CronRun[]> {
  const { env, signal, once, report } = options
  return withDataStore(env, async ({ cron: store }) => {
    const started: string[] = []
    const start = async (run: CronRun, job: CronJob) => {
      started.push(run.id)
      await startRun(store, run, job, options)
      const storedRun = store.run(run.id)
      if (storedRun && storedRun.state !== 'claimed') report(storedRun, job)
    }
    await runScheduler({ store, signal, once, report, now: Date.now, start })
    return started.flatMap((id) => store.run(id) ?? [])
  })
}

/**
 * Starts a run outside of the schedule. Resolves when it has ended. Throws FailureError `not_found` for
 * an unknown job.
 */
export async function runJobNow(cwd: string, name: string, options: RunOptions): Promise<CronRun> {
  const { workspace } = await readWorkspaceContext(cwd, options.env)
  return withDataStore(options.env, async ({ cron: store }) => {
    const job = store.find(workspace, name)
    const run = store.claim(job.id, processIdentity())
    await startRun(store, run, job, options)
    // the user stopped a run that has not begun, so it is ended here, and no scheduler starts it later
    if (store.run(run.id)?.state === 'claimed')
      store.end(run.id, { state: 'cancelled', thread: null, exit: null, note: 'ended before it began' })
    return store.run(run.id) ?? run
  })
}

/**
 * Starts the process of a run, which then confirms the claim, and waits for its end. The run fails if the
 * workspace is missing or the process recorded no end. If this scheduler is stopped before the process has
 * begun, the claim expires and another scheduler starts the run again.
 */
async function startRun(
  store: CronStore,
  run: CronRun,
  { workspace }: CronJob,
  { env, signal }: RunOptions,
): Promise<void> {
  if (signal.aborted) return
  const fail = (note: string) => store.end(run.id, { state: 'failed', thread: null, exit: null, note })
  if (!existsSync(workspace)) return fail(`${workspace} is gone`)
  const child = startDetached(['cron', 'run', '--claim', `${run.id}:${run.claim}`], { cwd: workspace, env })
  signal.addEventListener('abort', child.terminate)
  const problem = await child.ended
  signal.removeEventListener('abort', child.terminate)
  const after = store.run(run.id)
  if (after?.claim !== run.claim || (after.state !== 'claimed' && after.state !== 'running')) return
  if (signal.aborted && after.state === 'claimed') return
  fail(problem ?? 'its process ended without a result')
}
