// One worker process of a study on this machine: takes tasks until the coordinator is gone or has no more.
import { createInterface } from 'node:readline'
import { dataDir } from '../../base/dirs.ts'
import { openGround } from '../ground.ts'
import { ownerOf, seatOf, workerTools } from './seat.ts'

/** What the coordinator writes to a worker's standard input, on one line. */
export interface Order {
  study: string
  project: string
  foreign: boolean
  /** Where the study is kept, if not in the database of this machine. */
  server?: { url: string; unsafe: boolean; corpus: string; root: string; model: string }
}

export interface WorkOptions {
  stdin: NodeJS.ReadableStream
  env: Readonly<Record<string, string | undefined>>
  /** Aborts when this process is asked to end: the step under way is finished. */
  signal: AbortSignal
  log(text: string): void
}

/** Returns when standard input closes or `signal` aborts, after the step under way. */
export async function workOn({ stdin, env, signal, log }: WorkOptions): Promise<void> {
  const alone = new AbortController()
  const order = await firstLine(stdin, () => alone.abort(new Error('the coordinator is gone')))
  if (!order) return
  const soft = AbortSignal.any([signal, alone.signal])
  if (order.server) return serveOrder(order, order.server, { env, signal: soft, log })
  const { openJournal } = await import('../../store/journal/sqlite.ts')
  const { embeddedEngine } = await import('../../study/engine/embedded.ts')
  const { work } = await import('../../study/work/worker.ts')
  const journal = await openJournal(dataDir(env))
  // calls end with the step that made them, not with the wish to end
  const never = new AbortController().signal
  const base = { cwd: order.project, env, mode: 'ask', addDirs: [], terminal: undefined } as const
  const ground = await openGround({ ...base, signal: never, ...(!order.foreign && { names: workerTools }) })
  try {
    const seat = seatOf({ ground, journal, env })
    const engine = embeddedEngine(journal.db, { study: order.study, owner: seat.owner, log })
    await engine.work((job, stop) => work(job, seat, stop), 1, soft)
  } finally {
    await ground.close()
    await journal.close()
  }
}

/** A worker like those on other machines, with what the coordinator knows already. */
async function serveOrder(
  { project }: Order,
  server: NonNullable<Order['server']>,
  { env, signal, log }: Omit<WorkOptions, 'stdin'>,
): Promise<void> {
  const { serve } = await import('./worker.ts')
  const { url: engine, ...rest } = server
  await serve({
    engine,
    ...rest,
    concurrency: 1,
    once: false,
    label: ownerOf(process.pid),
    cwd: project,
    env,
    signal,
    // of the server the coordinator tells itself
    tell: (news) => news.event === 'note' && news.about === 'queue' && log(news.text),
  })
}

function firstLine(stdin: NodeJS.ReadableStream, closed: () => void): Promise<Order | undefined> {
  const lines = createInterface({ input: stdin })
  return new Promise((resolve) => {
    lines.once('line', (line) => resolve(JSON.parse(line) as Order))
    lines.once('close', () => {
      closed()
      resolve(undefined)
    })
  })
}
