// Runs studies: starts, resumes and cancels them, on the engine that was asked for.
import { dataDir } from '../../base/dirs.ts'
import { FailureError, messageOf, UserError } from '../../base/errors.ts'
import type { LocalJournal } from '../../store/journal/sqlite.ts'
import { filesBelow } from '../../study/check/files.ts'
import { coordinate } from '../../study/lead/coordinate.ts'
import type { Lead } from '../../study/lead/lead.ts'
import type { StudyState } from '../../study/state.ts'
import { entry } from '../../study/study.ts'
import type { Ground } from '../ground.ts'
import { embeddedPlace, type Place, type PlaceOptions } from './place.ts'
import {
  type Crewing,
  limitsOf,
  type Prepared,
  prepare,
  type StudyRequest,
  type StudyRun,
  withGround,
} from './request.ts'
import { beatMs, leadDesk, leaseMs, ownerOf, ownHost, type Seatings } from './seat.ts'
import type { Served } from './server.ts'

export type { Crewing, StudyRequest, StudyRun }

/** Throws UserError before anything is stored: root, model, plan file, data directory, server. */
export async function startStudy(request: StudyRequest, run: StudyRun): Promise<StudyState> {
  return withLocal(run, (local) =>
    withGround(run, request.sources, (ground) =>
      withEngine(request, run, async (served) => {
        const prepared = await prepare(request, served?.shown ?? 'embedded', run, ground)
        const { head } = prepared
        const parts = { ...prepared, local, ground, run, crewing: request, served }
        return lead(parts, async ({ journal }) => {
          await journal.create(head.id, entry('study', head), limitsOf(head.budget))
          if (served && served.warnings.length > 0) await journal.append(head.id, served.warnings)
        })
      }),
    ),
  )
}

/** Opens the server that keeps the study; undefined: it is kept here. */
export async function withEngine<T>(
  { engine, unsafe }: Crewing,
  { note }: StudyRun,
  use: (served: Served | undefined) => Promise<T>,
): Promise<T> {
  if (engine === 'embedded') return use(undefined)
  const { openServed } = await import('./server.ts')
  const served = await openServed(engine, { unsafe, say: note })
  try {
    return await use(served)
  } catch (error) {
    if (!served.lost.aborted) throw error
    throw new UserError(messageOf(served.lost.reason), {
      hint: 'what was found stays; anode study resume goes on when the server is back',
      exit: 3,
      cause: error,
    })
  } finally {
    await served.close()
  }
}

/** The database of this machine; a data directory that cannot be used is told before anything else. */
export async function withLocal<T>(
  { env }: Pick<StudyRun, 'env'>,
  use: (local: LocalJournal) => Promise<T>,
): Promise<T> {
  const { openJournal } = await import('../../store/journal/sqlite.ts')
  const local = await openJournal(dataDir(env))
  try {
    return await stored(() => use(local))
  } finally {
    await local.close()
  }
}

export interface Parts extends Pick<Prepared, 'head' | 'model' | 'frequency' | 'plan'> {
  local: LocalJournal
  ground: Ground
  run: StudyRun
  crewing: Crewing
  served: Served | undefined
}

export function placing({ head, local, ground, run, crewing, model }: Parts): PlaceOptions {
  const seatings: Seatings = { ground, journal: local, env: run.env, model }
  return { head, local, ground, run, crewing, seatings }
}

/** Leads the study to its end. `first` is done before, on the journal that keeps it. */
export async function lead(parts: Parts, first: (place: Place) => Promise<unknown>): Promise<StudyState> {
  const { ground, run, head, served } = parts
  const options = placing(parts)
  const place = await (served ? served.place(options) : embeddedPlace(options))
  const seatings: Seatings = { ...options.seatings, journal: place.journal }
  let state: StudyState | undefined
  try {
    await first(place)
    state = await coordinate(
      {
        journal: place.journal,
        engine: place.engine,
        study: head.id,
        owner: ownerOf(process.pid),
        pid: process.pid,
        host: ownHost,
        leaseMs,
        beatMs,
        model: parts.model,
        desk: (role, signal) => leadDesk({ ...seatings, ground }, head, role, signal),
        frequency: parts.frequency,
        ...(parts.plan && { plan: parts.plan }),
        read: filesBelow(head.root),
        show: run.show,
        tend: place.tend,
      } satisfies Lead,
      run.signal,
    )
    return state
  } finally {
    await place.close(state)
  }
}

/** Trouble with the disk or a lock is the person's to mend, and names the place. */
async function stored<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    const { code, message, hint } = error.failure
    if (code !== 'io' && code !== 'busy') throw error
    throw new UserError(message, { exit: 1, cause: error, ...(hint !== undefined && { hint }) })
  }
}
