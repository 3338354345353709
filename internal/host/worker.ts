// Serves studies of many machines: takes tasks from a queue on a server and works on them with this machine's files and models.
import { realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { messageOf, UserError } from '../base/errors.ts'
import type { Job, Journal } from '../store/journal/journal.ts'
import { redisJournal } from '../store/journal/redis.ts'
import { openServer } from '../store/redis/server.ts'
import { survey } from '../study/corpus.ts'
import { queueEngine } from '../study/engine/bullmq.ts'
import { LeaseHeld } from '../study/engine.ts'
import type { Head } from '../study/study.ts'
import { work } from '../study/worker.ts'
import { type Ground, openGround } from './ground.ts'
import { watchChairs } from './study-chairs.ts'
import { modelOf, seatOf, workerTools } from './study-seat.ts'
import { type News, overheard } from './worker-news.ts'

export interface ServeOptions {
  /** Address of the server, password included. */
  engine: string
  unsafe: boolean
  concurrency: number
  root: string
  /** Digest of the files below `root`, where it is known already. */
  corpus?: string
  /** Absent: whatever a study names, as far as it needs no file of this machine. */
  model?: string
  /** Ends after one task. */
  once: boolean
  label: string
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** Aborts when this process is asked to end: the steps under way are finished. */
  signal: AbortSignal
  tell(news: News): void
}

/** For so long after a refusal other workers are given the chance to take the task. */
const refusedMs = 5_000

/** Returns when `signal` aborts or the one task is over. Throws UserError when the server is unreachable, unsafe or lost. */
export async function serve(options: ServeOptions): Promise<void> {
  const { tell, label, signal, env } = options
  const note = (text: string) => tell({ event: 'note', text })
  const root = rootOf(options.root)
  const server = await openServer(options.engine, { unsafe: options.unsafe, say: note })
  const grounds = new Map<boolean, Promise<Ground>>()
  const journal = overheard(redisJournal(server), tell)
  try {
    for (const text of server.notes) note(text)
    const { id: corpus, files } = await corpusOf(options, root, () => groundOf(false))
    const engine = await queueEngine(server, { corpus, label, log: note })
    tell({
      event: 'ready',
      label,
      engine: server.address.shown,
      corpus,
      ...(files !== undefined && { files }),
    })
    const enough = new AbortController()
    const chairs = watchChairs(journal)
    const refused = new Map<string, number>()

    const take = async (job: Job, stop: AbortSignal) => {
      const head = await headOf(journal, job.study)
      if (head.corpus !== corpus) throw new Error('the study is about other files than those of this worker')
      if ((refused.get(head.id) ?? 0) > Date.now() - refusedMs) throw new LeaseHeld(Date.now() + 1000)
      const led = await chairs.begin(head.id)
      if (!led) throw new LeaseHeld(Date.now() + 5_000)
      const ground = await groundOf(head.sources.includes('mcp'))
      const seat = seatOf({ ground, journal, env, root, label })
      const model = async () => {
        try {
          return await servedModel(head, ground, options)
        } catch (error) {
          refused.set(head.id, Date.now())
          throw error
        }
      }
      try {
        await work(job, { ...seat, model }, AbortSignal.any([stop, led]))
      } finally {
        chairs.end(head.id)
      }
      if (options.once && !refused.has(head.id)) enough.abort()
    }
    try {
      await engine.work(take, options.concurrency, AbortSignal.any([signal, enough.signal]))
    } catch (error) {
      throw server.lost.aborted ? new UserError(messageOf(error), { exit: 3, cause: error }) : error
    } finally {
      chairs.close()
      await engine.close()
    }
  } finally {
    for (const ground of grounds.values()) await (await ground).close()
    await journal.close()
  }

  /** Servers of tools are started for studies that use them only. */
  function groundOf(foreign: boolean): Promise<Ground> {
    const known = grounds.get(foreign)
    if (known) return known
    // calls end with the step that made them, not with the wish to end
    const base = {
      env,
      mode: 'ask',
      addDirs: [],
      terminal: undefined,
      signal: new AbortController().signal,
    } as const
    const opened = openGround({ ...base, cwd: options.cwd, ...(!foreign && { names: workerTools }) })
    grounds.set(foreign, opened)
    return opened
  }
}

function rootOf(asked: string): string {
  try {
    return realpathSync(asked)
  } catch (cause) {
    throw new UserError(`root has no readable files: ${asked}`, { cause })
  }
}

async function corpusOf(
  { corpus }: ServeOptions,
  root: string,
  ground: () => Promise<Ground>,
): Promise<{ id: string; files?: number }> {
  if (corpus !== undefined) return { id: corpus }
  const { id, files } = await survey(root, [], (await ground()).resources.can.run)
  if (files === 0)
    throw new UserError(`root has no readable files: ${root}`, { hint: 'name another one with --root' })
  return { id, files }
}

async function headOf(journal: Journal, study: string): Promise<Head> {
  const [first] = await journal.read(study, 0, 1)
  if (first?.kind !== 'study') throw new Error('the study has no head')
  return first.data as unknown as Head
}

/**
 * The model of a study. What comes over the network may name a provider; files of this machine are opened only when
 * --model names them here.
 */
async function servedModel(head: Head, ground: Ground, { model: own, cwd, env }: ServeOptions) {
  const { name } = head.model
  if (own === undefined && isFile(name)) {
    throw new UserError(`the study's model ${name} is a file`, {
      hint: 'Give the worker its own with --model.',
    })
  }
  const { model } = await modelOf(ground, own ?? name, cwd, env)
  if (same(model.id, name)) return model
  throw new UserError(`the study uses ${name}, this worker ${model.id}`)
}

const isFile = (name: string) => /^(script|replay|record):/.test(name)

/** Files of models lie at other places on other machines; their names count. */
function same(a: string, b: string): boolean {
  const bare = (name: string) => (isFile(name) ? `${name.split(':')[0]}:${basename(name)}` : name)
  return bare(a) === bare(b)
}
