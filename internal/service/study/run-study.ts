// Start of studies on the selected engine, and the run of new and resumed studies to their end.

import { dataDir } from '../../base/dirs.ts'
import { FailureError, messageOf, UserError } from '../../base/errors.ts'
import { noteCreated } from '../../base/ids.ts'
import { withOwnSignal } from '../../base/time-limit.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Journal, NewJournalLine } from '../../store/journal/journal.ts'
import { type LocalJournal, openJournal } from '../../store/journal/sqlite.ts'
import { coordinateStudy } from '../../study/coordinator/coordinator.ts'
import type { CoordinatorOptions } from '../../study/coordinator/coordinator-options.ts'
import { heartbeatMs, leaseMs } from '../../study/engine/heartbeat.ts'
import { makeStudyEntry } from '../../study/log/entries.ts'
import type { StudyState } from '../../study/log/state.ts'
import { describeSources, fileReaderBelow } from '../../study/verify/source-reader.ts'
import { openEmbeddedBackend, type StudyBackend, type StudyBackendOptions } from './backend.ts'
import { estimateStudy, sayCost } from './cost-estimate.ts'
import {
  budgetLimits,
  type PreparedStudy,
  prepareStudy,
  type StudyRequest,
  type StudyRun,
  type WorkerPlacement,
  withStudyRuntime,
} from './request.ts'
import { addRevision } from './study-revision.ts'
import type { StudyServer } from './study-server.ts'
import { sendStudySpans } from './study-tracing.ts'
import { leaseOwner, openCoordinatorContext, thisHost, type WorkerEnvironment } from './worker-environment.ts'

export type { StudyRequest, StudyRun, WorkerPlacement }

/**
 * Starts a study and returns its state at the end. Throws UserError before anything is stored if the root, a
 * source, the model, the plan file, the data directory or the server is invalid, or the cost is not approved.
 */
export async function startStudy(request: StudyRequest, run: StudyRun): Promise<StudyState> {
  return withLocalJournal(run, (local) =>
    withStudyRuntime(run, request.sources, (runtime) =>
      withStudyServer(request, run, async (server) => {
        const prepared = await prepareStudy(request, server?.shown ?? 'embedded', run, runtime)
        const { model, plan } = prepared
        const head = server ? await addRevision(prepared.head, runtime, run) : prepared.head
        const tasks = plan?.tasks.length ?? head.workers
        const estimate = estimateStudy(model, head, { isPlanned: plan !== undefined, tasks })
        if (estimate) await sayCost(estimate, request.approveCost, run)
        const parts = { ...prepared, head, local, runtime, run, placement: request, server }
        return runCoordinator(parts, async ({ journal }) => {
          await journal.create(head.id, makeStudyEntry('study', head), budgetLimits(head.budget))
          noteCreated({ kind: 'study', id: head.id })
          if (server && server.warnings.length > 0) await journal.append(head.id, server.warnings)
        })
      }),
    ),
  )
}

/**
 * Runs `use` with the server that stores the study, or with undefined for a study on this machine. Throws
 * UserError if the server does not respond or, without `unsafe`, may lose data, and (exit 3) if it is lost.
 */
export async function withStudyServer<T>(
  { engine, unsafe }: Pick<WorkerPlacement, 'engine' | 'unsafe'>,
  { note }: Pick<StudyRun, 'note'>,
  use: (server: StudyServer | undefined) => Promise<T>,
): Promise<T> {
  if (engine === 'embedded') return use(undefined)
  const { openStudyServer } = await import('./study-server.ts')
  const server = await openStudyServer(engine, { unsafe, say: note })
  try {
    return await use(server)
  } catch (error) {
    if (!server.lost.aborted || error instanceof UserError) throw error
    throw new UserError(messageOf(server.lost.reason), {
      hint: 'the findings are stored; anode study resume continues when the server is back',
      exit: 3,
      cause: error,
    })
  } finally {
    await server.close()
  }
}

/** Runs `use` with the local database. An unusable data directory is reported before any other problem. */
export async function withLocalJournal<T>(
  { env }: Pick<StudyRun, 'env'>,
  use: (local: LocalJournal) => Promise<T>,
): Promise<T> {
  const local = await openJournal(dataDir(env))
  try {
    return await explainStorageErrors(() => use(local))
  } finally {
    await local.close()
  }
}

interface StudyParts extends Pick<PreparedStudy, 'head' | 'model' | 'frequency' | 'plan'> {
  map?: string
  local: LocalJournal
  runtime: Runtime
  run: StudyRun
  placement: WorkerPlacement
  server: StudyServer | undefined
}

export function backendOptions({
  head,
  local,
  runtime,
  run,
  placement,
  model,
}: StudyParts): StudyBackendOptions {
  const environment: WorkerEnvironment = { runtime, journal: local, env: run.env, model }
  return { head, local, runtime, run, placement, environment }
}

/**
 * Runs the study to its end and returns its state. If the server is lost, returns the state in the local
 * copy, or throws UserError (exit 3) without one. Calls `first` with the backend before the work; `begin`
 * returns lines to write once this process is the coordinator.
 */
export function runCoordinator(
  parts: StudyParts,
  first: (backend: StudyBackend) => Promise<unknown>,
  begin?: (state: StudyState, journal: Journal) => Promise<readonly NewJournalLine[]>,
): Promise<StudyState> {
  // each study gets its own signal, because a process may run many studies in sequence with one signal
  return withOwnSignal(parts.run.signal, (signal) =>
    coordinateRun({ ...parts, run: { ...parts.run, signal } }, first, begin),
  )
}

async function coordinateRun(
  ...[parts, first, begin]: Parameters<typeof runCoordinator>
): Promise<StudyState> {
  const { runtime, run, head, server } = parts
  const options = backendOptions(parts)
  let backend: StudyBackend | undefined
  let state: StudyState | undefined
  try {
    const opened = await (server ? server.place(options) : openEmbeddedBackend(options))
    backend = opened
    const environment: WorkerEnvironment = { ...options.environment, journal: opened.journal }
    await first(opened)
    state = await coordinateStudy(
      {
        journal: opened.journal,
        engine: opened.engine,
        study: head.id,
        owner: leaseOwner(process.pid),
        pid: process.pid,
        host: thisHost,
        leaseMs,
        heartbeatMs,
        model: parts.model,
        setUpRole: (role, signal) => openCoordinatorContext({ ...environment, runtime }, head, role, signal),
        frequency: parts.frequency,
        map: parts.map,
        plan: parts.plan,
        begin: begin ? (now: StudyState) => begin(now, opened.journal) : undefined,
        read: fileReaderBelow(head.root),
        describe: (names) =>
          describeSources(head.root, names, runtime.resources.can.processes.run, run.signal),
        show: run.show,
        tend: opened.tend,
      } satisfies CoordinatorOptions,
      run.signal,
    )
    return state
  } catch (error) {
    if (!server?.lost.aborted || run.signal.aborted) throw error
    state = await server.readMirror(options.local, head.id)
    if (state === undefined) throw lostBeforeStart(server, error)
    run.note(`${messageOf(server.lost.reason)}; anode study resume continues when the server is back`)
    return state
  } finally {
    if (backend && run.env.OTEL_EXPORTER_OTLP_ENDPOINT) await sendStudySpans(run.env, backend.journal, head)
    await backend?.close(state)
  }
}

/** Returns the error of a study whose server was lost before an entry of the study was copied. */
const lostBeforeStart = ({ lost }: StudyServer, cause: unknown): UserError =>
  new UserError(messageOf(lost.reason), {
    hint: 'no study is stored; start it again when the server is back',
    exit: 3,
    cause,
  })

/** Converts errors of the disk or a lock into UserErrors with the path, because the user can fix them. */
async function explainStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    const { code, message, hint } = error.failure
    if (code !== 'io' && code !== 'busy') throw error
    throw new UserError(message, { exit: 1, cause: error, hint })
  }
}
