// A local worker process of a study. It takes tasks until its coordinator, the process that directs the
// study, has ended or has no more tasks.

import { setMaxListeners } from 'node:events'
import { createInterface } from 'node:readline'
import { dataDir } from '../../base/dirs.ts'
import { setModelTape } from '../../model/model-choice.ts'
import type { ModelTape } from '../../model/taped-model.ts'
import { openRuntime } from '../../runtime/open-runtime.ts'
import { openJournal } from '../../store/journal/sqlite.ts'
import { embeddedEngine } from '../../study/engine/embedded-engine.ts'
import { stopLine } from '../../study/engine/worker-pool.ts'
import type { StudyHead } from '../../study/log/entries.ts'
import { createCutSignal, orphanGraceMs } from '../../study/worker/task-stop.ts'
import { workOnTask } from '../../study/worker/worker.ts'
import { features } from '../features/index.ts'
import { leaseOwner, prepareWorker, workerToolNames } from './worker-environment.ts'
import { noteLocalWorker } from './worker-list.ts'

/** The line that the coordinator writes to a worker's standard input; `stopLine` may follow. */
export interface WorkerAssignment {
  study: string
  project: string
  foreign: boolean
  /** Largest number of tasks that the worker has at once. */
  slots: number
  /**
   * Tape, a recording of model responses, if the coordinator's command records or replays one. The worker's
   * models use it too.
   */
  tape?: ModelTape
  /** The server that stores the study. Default: the local database. */
  server?: { url: string; unsafe: boolean; corpus: string; root: string; model: string }
}

interface WorkOptions {
  stdin: NodeJS.ReadableStream
  env: Readonly<Record<string, string | undefined>>
  /** Aborts when this process is asked to end. The current step then has a short time to finish. */
  signal: AbortSignal
  log(text: string): void
}

/**
 * Runs the worker. Returns when standard input closes or contains `stopLine`, or when `signal` aborts, after
 * the current step or its time limit.
 */
export async function runLocalWorker({ stdin, env, signal, log }: WorkOptions): Promise<void> {
  const ordered = new AbortController()
  const alone = new AbortController()
  const assignment = await readOrders(stdin, {
    stop: () => ordered.abort(new Error('the study is to stop')),
    closed: () => alone.abort(new Error('the coordinator is gone')),
  })
  if (!assignment) return
  setModelTape(assignment.tape)
  const stopSignal = AbortSignal.any([signal, ordered.signal])
  const soft = AbortSignal.any([stopSignal, alone.signal])
  const cutSignal = AbortSignal.any([
    createCutSignal(stopSignal),
    createCutSignal(alone.signal, orphanGraceMs),
  ])
  // each conversation adds a listener to the signal, so Node must not warn about their number
  setMaxListeners(0, cutSignal)
  if (assignment.server)
    return serveOrder(assignment, assignment.server, { env, signal: soft, cut: cutSignal, log })
  const journal = await openJournal(dataDir(env))
  // the runtime gets a signal that never aborts: calls end with their step, not with the request to end
  const never = new AbortController().signal
  const place = { cwd: assignment.project, env, mode: 'ask', addDirs: [] } as const
  const runtime = await openRuntime({
    ...place,
    terminal: undefined,
    signal: never,
    isWorkspaceLater: true,
    features,
    names: assignment.foreign ? undefined : workerToolNames,
  })
  const [first] = await journal.read(assignment.study, 0, 1)
  const head = first?.data as unknown as StudyHead | undefined
  const forget = head && noteLocalWorker(head, assignment.slots, env)
  try {
    const worker = { ...prepareWorker({ runtime, journal, env }), cut: cutSignal }
    const engine = embeddedEngine(journal.db, { study: assignment.study, owner: worker.owner, log })
    await engine.work((job, stop) => workOnTask(job, worker, stop), assignment.slots, soft)
  } finally {
    forget?.()
    await runtime.close()
    await journal.close()
  }
}

/**
 * Serves studies from the server like a worker on another machine. The digest of the files and the model come
 * from the coordinator and are not determined again.
 */
async function serveOrder(
  { project, slots }: WorkerAssignment,
  server: NonNullable<WorkerAssignment['server']>,
  { env, signal, cut: cutSignal, log }: Omit<WorkOptions, 'stdin'> & { cut: AbortSignal },
): Promise<void> {
  const { serveStudies } = await import('./remote-worker.ts')
  const { url: engine, ...rest } = server
  await serveStudies({
    engine,
    ...rest,
    concurrency: slots,
    once: false,
    label: leaseOwner(process.pid),
    cwd: project,
    env,
    signal,
    cut: cutSignal,
    // of the notes, only those about the queue are logged, because the coordinator itself reports the state
    // of the server
    tell: (news) => news.event === 'note' && news.about === 'queue' && log(news.text),
  })
}

/**
 * Returns the assignment in the first line, or undefined if the input ends without one. Calls `stop` when
 * `stopLine` follows, and `closed` when the input ends.
 */
function readOrders(
  stdin: NodeJS.ReadableStream,
  { stop, closed }: { stop(): void; closed(): void },
): Promise<WorkerAssignment | undefined> {
  const lines = createInterface({ input: stdin })
  return new Promise((resolve) => {
    lines.once('line', (line) => resolve(JSON.parse(line) as WorkerAssignment))
    lines.on('line', (line) => line === stopLine && stop())
    lines.once('close', () => {
      closed()
      resolve(undefined)
    })
  })
}
