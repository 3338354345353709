// Where a study is kept and who works on it: the database and processes of this machine, or a server and workers anywhere.
import { answers } from '../../base/alive.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { LocalJournal } from '../../store/journal/sqlite.ts'
import { type Crew, createCrew } from '../../study/engine/crew.ts'
import { embeddedEngine } from '../../study/engine/embedded.ts'
import type { StudyEngine } from '../../study/engine.ts'
import { forced } from '../../study/lead/coordinate.ts'
import type { StudyState } from '../../study/state.ts'
import type { Head } from '../../study/study.ts'
import { work } from '../../study/work/worker.ts'
import type { Ground } from '../ground.ts'
import type { Crewing, StudyRun } from './request.ts'
import { ownerOf, ownHost, type Seatings, seatOf } from './seat.ts'
import type { Order } from './work.ts'

/** Everything in which the engines differ. */
export interface Place {
  readonly journal: Journal
  readonly engine: StudyEngine
  /** Called often: sees to it that there are workers. */
  tend(state: StudyState): Promise<void>
  /** After the end: workers finish their step, or, after a forced cancellation, do not. */
  close(state: StudyState | undefined): Promise<void>
}

export interface PlaceOptions {
  head: Head
  local: LocalJournal
  ground: Ground
  run: StudyRun
  crewing: Crewing
  seatings: Seatings
}

/** Workers are processes of this machine, or loops in this one. */
export async function embeddedPlace(options: PlaceOptions): Promise<Place> {
  const { head, local, ground, run, crewing, seatings } = options
  const engine = embeddedEngine(local.db, { study: head.id, owner: ownerOf(process.pid), log: run.note })
  const base = { journal: local, engine }
  if (crewing.inProcess) {
    const idle = new AbortController()
    const seat = seatOf(seatings)
    const soft = AbortSignal.any([run.signal, idle.signal])
    let trouble: { error: unknown } | undefined
    const working = engine
      .work((job, stop) => work(job, seat, stop), head.workers, soft)
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
      },
    }
  }
  const crew = createCrew({
    spawn: ground.resources.spawn,
    file: process.execPath,
    args: [run.program, '--study-worker'],
    cwd: head.project,
    env: given(run.env),
    order: { study: head.id, project: head.project, foreign: head.sources.includes('mcp') } satisfies Order,
    async gone(pid) {
      engine.free(ownerOf(pid))
      await freeAll(local, head.id, ownerOf(pid))
    },
    log: run.note,
  })
  return {
    ...base,
    async tend(state) {
      await freeDead(local, head.id)
      await crew.ensure(wanted(state))
    },
    close: (state) => closeCrew(crew, state),
  }
}

/** One worker for each task that is not over, up to the cap. */
export function wanted({ head, tasks }: StudyState): number {
  const todo = [...tasks.values()].filter(({ status }) => status === 'open' || status === 'leased')
  return Math.min(head.workers, todo.length)
}

export const closeCrew = (crew: Crew, state: StudyState | undefined): Promise<void> =>
  crew.close(state?.status === 'cancelled' && state.reason === forced)

async function freeAll(journal: Journal, study: string, gone: string): Promise<void> {
  for (const { task, owner } of await journal.leases(study)) {
    if (owner === gone) await journal.release(study, task, owner, false)
  }
}

/** Ends the leases of processes of this machine that are no more: nobody needs to wait for their end. */
export async function freeDead(journal: Journal, study: string): Promise<void> {
  const prefix = `${ownHost}-`
  for (const { task, owner } of await journal.leases(study)) {
    const pid = owner.startsWith(prefix) ? Number.parseInt(owner.slice(prefix.length), 10) : Number.NaN
    if (Number.isInteger(pid) && pid !== process.pid && !answers(pid)) {
      await journal.release(study, task, owner, false)
    }
  }
}

export const given = (env: StudyRun['env']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
