// Interface to the storage and workers of a study, and an implementation with the local database
// and local processes.
import { processExists } from '../../base/process-identity.ts'
import { modelTape } from '../../model/model-choice.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { LocalJournal } from '../../store/journal/sqlite.ts'
import { forcedReason } from '../../study/coordinator/coordinator.ts'
import { embeddedEngine } from '../../study/engine/embedded-engine.ts'
import type { StudyEngine } from '../../study/engine/study-engine.ts'
import { createWorkerPool, type WorkerPool } from '../../study/engine/worker-pool.ts'
import type { StudyHead } from '../../study/log/entries.ts'
import type { StudyState } from '../../study/log/state.ts'
import { createCutSignal } from '../../study/worker/task-stop.ts'
import { workOnTask } from '../../study/worker/worker.ts'
import type { WorkerAssignment } from './local-worker.ts'
import type { StudyRun, WorkerPlacement } from './request.ts'
import { leaseOwner, prepareWorker, thisHost, type WorkerEnvironment } from './worker-environment.ts'
import { noteLocalWorker } from './worker-list.ts'

/** Operations that differ between studies on this machine and studies on a server. */
export interface StudyBackend {
  readonly journal: Journal
  readonly engine: StudyEngine
  /**
   * Called often. Starts missing worker processes; throws the error with which workers in this
   * process have failed.
   */
  tend(state: StudyState): Promise<void>
  /**
   * Called after the end of the study. Workers get a short time to finish their step; after a forced
   * cancellation worker processes are stopped at once.
   */
  close(state: StudyState | undefined): Promise<void>
}

export interface StudyBackendOptions {
  head: StudyHead
  local: LocalJournal
  runtime: Runtime
  run: StudyRun
  placement: WorkerPlacement
  environment: WorkerEnvironment
}

/** Opens a backend with worker processes on this machine, or with loops in this process. */
export async function openEmbeddedBackend(options: StudyBackendOptions): Promise<StudyBackend> {
  const { head, local, runtime, run, placement, environment } = options
  const engine = embeddedEngine(local.db, { study: head.id, owner: leaseOwner(process.pid), log: run.note })
  const base = { journal: local, engine }
  // a search by rules does not need a separate process that could crash
  if (placement.inProcess || head.model.kind === 'rules') {
    const idle = new AbortController()
    const soft = AbortSignal.any([run.signal, idle.signal])
    const worker = { ...prepareWorker(environment), cut: createCutSignal(run.signal) }
    let trouble: { error: unknown } | undefined
    // a search by rules ends within seconds, so the list of workers does not show it
    const forget = head.model.kind === 'rules' ? undefined : noteLocalWorker(head, head.workers, run.env)
    const working = engine
      .work((job, stop) => workOnTask(job, worker, stop), head.workers, soft)
      .catch((error: unknown) => {
        trouble = { error }
      })
    return {
      ...base,
      async tend() {
        if (trouble) throw trouble.error
      },
      async close() {
        idle.abort()
        await working
        forget?.()
      },
    }
  }
  const pool = createWorkerPool({
    spawn: runtime.resources.spawn,
    file: process.execPath,
    args: [run.program, '--study-worker'],
    cwd: head.project,
    env: definedVariables(run.env),
    slots: head.workers,
    order: (slots): WorkerAssignment => ({
      study: head.id,
      project: head.project,
      foreign: head.sources.includes('mcp'),
      slots,
      tape: modelTape(),
    }),
    async gone(pid) {
      engine.free(leaseOwner(pid))
      await releaseOwnedLeases(local, head.id, leaseOwner(pid))
    },
    signal: run.signal,
    log: run.note,
  })
  return {
    ...base,
    async tend(state) {
      await releaseDeadLeases(local, head.id)
      await pool.ensure(countWantedSlots(state))
    },
    close: (state) => closeWorkerPool(pool, state),
  }
}

/**
 * Returns the number of slots that the study can use: one for each open or leased task, at most its
 * number of workers.
 */
export function countWantedSlots({ head, tasks }: StudyState): number {
  const todo = [...tasks.values()].filter(({ status }) => status === 'open' || status === 'leased')
  return Math.min(head.workers, todo.length)
}

export const closeWorkerPool = (pool: WorkerPool, state: StudyState | undefined): Promise<void> =>
  pool.close(state?.status === 'cancelled' && state.reason === forcedReason)

async function releaseOwnedLeases(journal: Journal, study: string, deadOwner: string): Promise<void> {
  for (const { task, owner } of await journal.leases(study)) {
    if (owner === deadOwner) await journal.release(study, task, owner, false)
  }
}

/** Ends the leases of dead local processes, so that their tasks need not wait for the expiry. */
export async function releaseDeadLeases(journal: Journal, study: string): Promise<void> {
  const prefix = `${thisHost}-`
  for (const { task, owner } of await journal.leases(study)) {
    const pid = owner.startsWith(prefix) ? Number.parseInt(owner.slice(prefix.length), 10) : Number.NaN
    if (Number.isInteger(pid) && pid !== process.pid && !processExists(pid)) {
      await journal.release(study, task, owner, false)
    }
  }
}

export const definedVariables = (env: StudyRun['env']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
