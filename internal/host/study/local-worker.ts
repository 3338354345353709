// One worker process of a study on this machine: takes tasks until the coordinator is gone or has no more.
import { createInterface } from 'node:readline'
import { dataDir } from '../../base/dirs.ts'
import { openRuntime } from '../runtime.ts'
import { leaseOwner, prepareWorker, workerToolNames } from './worker-environment.ts'

/** What the coordinator writes to a worker's standard input, on one line. */
export interface WorkerAssignment {
  study: string
  project: string
  foreign: boolean
  /** Where the study is kept, if not in the database of this machine. */
  server?: { url: string; unsafe: boolean; corpus: string; root: string; model: string }
}

interface WorkOptions {
  stdin: NodeJS.ReadableStream
  env: Readonly<Record<string, string | undefined>>
  /** Aborts when this process is asked to end: the step under way is finished. */
  signal: AbortSignal
  log(text: string): void
}

/** Returns when standard input closes or `signal` aborts, after the step under way. */
export async function runLocalWorker({ stdin, env, signal, log }: WorkOptions): Promise<void> {
  const alone = new AbortController()
  const assignment = await firstLine(stdin, () => alone.abort(new Error('the coordinator is gone')))
  if (!assignment) return
  const soft = AbortSignal.any([signal, alone.signal])
  if (assignment.server) return serveOrder(assignment, assignment.server, { env, signal: soft, log })
  const { openJournal } = await import('../../store/journal/sqlite.ts')
  const { embeddedEngine } = await import('../../study/engine/embedded-engine.ts')
  const { createCutSignal } = await import('../../study/worker/task-stop.ts')
  const { workOnTask } = await import('../../study/worker/worker.ts')
  const journal = await openJournal(dataDir(env))
  // calls end with the step that made them, not with the wish to end
  const never = new AbortController().signal
  const base = { cwd: assignment.project, env, mode: 'ask', addDirs: [], terminal: undefined } as const
  const runtime = await openRuntime({
    ...base,
    signal: never,
    ...(!assignment.foreign && { names: workerToolNames }),
  })
  try {
    const worker = { ...prepareWorker({ runtime, journal, env }), cut: createCutSignal(soft) }
    const engine = embeddedEngine(journal.db, { study: assignment.study, owner: worker.owner, log })
    await engine.work((job, stop) => workOnTask(job, worker, stop), 1, soft)
  } finally {
    await runtime.close()
    await journal.close()
  }
}

/** A worker like those on other machines, with what the coordinator knows already. */
async function serveOrder(
  { project }: WorkerAssignment,
  server: NonNullable<WorkerAssignment['server']>,
  { env, signal, log }: Omit<WorkOptions, 'stdin'>,
): Promise<void> {
  const { serveStudies } = await import('./remote-worker.ts')
  const { url: engine, ...rest } = server
  await serveStudies({
    engine,
    ...rest,
    concurrency: 1,
    once: false,
    isStepCut: true,
    label: leaseOwner(process.pid),
    cwd: project,
    env,
    signal,
    // of the server the coordinator tells itself
    tell: (news) => news.event === 'note' && news.about === 'queue' && log(news.text),
  })
}

function firstLine(stdin: NodeJS.ReadableStream, closed: () => void): Promise<WorkerAssignment | undefined> {
  const lines = createInterface({ input: stdin })
  return new Promise((resolve) => {
    lines.once('line', (line) => resolve(JSON.parse(line) as WorkerAssignment))
    lines.once('close', () => {
      closed()
      resolve(undefined)
    })
  })
}
