// A worker for studies of many machines: takes tasks from a server's queues and uses local files and models.

import { realpathSync } from 'node:fs'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { messageOf, UserError } from '../../base/errors.ts'
import { fileMessageOf } from '../../base/files/errno.ts'
import { shareLimits } from '../../model/limits/shared-limits.ts'
import { openRuntime } from '../../runtime/open-runtime.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Journal, StudyJob } from '../../store/journal/journal.ts'
import { StandstillError } from '../../store/journal/journal-errors.ts'
import { readJournalLines } from '../../store/journal/lines.ts'
import { LeaseHeld } from '../../study/engine/study-engine.ts'
import type { WorkerRecord } from '../../study/engine/worker-record.ts'
import type { StudyHead } from '../../study/log/entries.ts'
import { surveyCorpus } from '../../study/plan/corpus.ts'
import { readCommit } from '../../study/plan/corpus-commit.ts'
import { redisJournal } from '../../study/redis/journal.ts'
import { queueEngine } from '../../study/redis/queue-engine.ts'
import { openRedisServer, type RedisServer } from '../../study/redis/server.ts'
import { redisLimits } from '../../study/redis/shared-limits.ts'
import { workOnTask } from '../../study/worker/worker.ts'
import { refuseOwnDirectory } from '../../trust/is-trusted.ts'
import { features } from '../features/index.ts'
import { announceWorker, type ServeOptions } from './announced-worker.ts'
import { type CoordinatorWatch, watchCoordinators } from './coordinator-watch.ts'
import { prepareWorker, workerToolNames } from './worker-environment.ts'
import { pickRemoteModel } from './worker-model.ts'
import { reportWorkerNews } from './worker-news.ts'

/**
 * Milliseconds before this worker may take a task again that it has returned because it does not have the
 * model of the study.
 */
const refusalPauseMs = 2_000

/**
 * Milliseconds for which the worker returns a task to the queue if its study cannot continue at the moment.
 * The worker takes other tasks in that time.
 */
const busyPauseMs = 2_000

/** Milliseconds for which a task returns to the queue if the worker has no free slot. */
const fullPauseMs = 500

/** Milliseconds that a step waits for a coordinator to restore lost data of the server. */
const standstillMs = 30_000

/** Milliseconds that an ending worker waits for an unreachable server. */
const maxDisconnectedMs = 5_000

/**
 * Serves studies until `signal` aborts or, with `once`, until one task is over. Throws UserError if the
 * server is unreachable, unsafe or lost, or if the root is missing or has no readable files.
 */
export async function serveStudies(options: ServeOptions): Promise<void> {
  const { tell, label, signal } = options
  const note = (about: 'server' | 'queue') => (text: string) => tell({ event: 'note', about, text })
  const root = rootOf(options.root, options.env)
  const farewell = disconnectDeadline(signal)
  const server = await openRedisServer(options.engine, {
    unsafe: options.unsafe,
    say: note('server'),
    giveUpAt: () => farewell.at,
  })
  shareLimits(redisLimits(server))
  const runtimes = openWorkerRuntimes(options)
  const enough = new AbortController()
  let worked = false
  const waiting = { patienceMs: standstillMs, claimPatienceMs: 0, signal }
  const journal = reportWorkerNews(redisJournal(server, waiting), (news) => {
    tell(news)
    worked ||= news.event === 'started'
  })
  const coordinators = watchCoordinators(journal)
  try {
    for (const text of server.notes) note('server')(text)
    const survey = await corpusOf(options, root, runtimes)
    if (!survey) return
    const { id: corpus, files, commit, lines } = survey
    const announced = await announceWorker(server, options, root, { corpus, files, commit })
    const end = AbortSignal.any([signal, enough.signal])
    const working: Promise<void>[] = []
    const begin = (files: { corpus: string; root: string }) => {
      const parts = { options, journal, coordinators, runtimes, ...files }
      const task = workOnCorpus(server, parts, announced.record, end, () => worked && enough.abort())
      // if one queue fails, the work on all other queues ends too, and the error is thrown below
      task.catch(() => enough.abort())
      working.push(task)
    }
    begin({ corpus, root })
    tell({ event: 'ready', label, engine: server.address.shown, corpus, files, commit })
    try {
      if (lines) {
        const { run } = (await runtimes.open(false)).resources.can.processes
        const watch = { run: commit === undefined ? undefined : run, signal: end, files: lines }
        await announced.serveCommits(watch, begin)
      }
      await Promise.all(working)
    } finally {
      await announced.remove()
    }
  } catch (error) {
    throw server.lost.aborted ? new UserError(messageOf(error), { exit: 3, cause: error }) : error
  } finally {
    coordinators.close()
    shareLimits(undefined)
    await runtimes.close()
    await journal.close()
  }
}

/**
 * Takes tasks of studies about one set of files. All sets of files share the slots, which limit the tasks at
 * the same time.
 */
async function workOnCorpus(
  server: RedisServer,
  parts: WorkerServices,
  record: WorkerRecord,
  end: AbortSignal,
  finished: () => void,
): Promise<void> {
  const { options, corpus } = parts
  const { label, concurrency, once, tell } = options
  const log = (text: string) => tell({ event: 'note', about: 'queue', text })
  const engine = await queueEngine(server, { corpus, label, log })
  const runTask = createTaskRunner(parts)
  const run = async (job: StudyJob, stop: AbortSignal) => {
    if (record.busy >= concurrency) throw new LeaseHeld(Date.now() + fullPauseMs)
    record.busy++
    try {
      await runTask(job, stop)
    } finally {
      record.busy--
    }
    if (once) finished()
  }
  try {
    await engine.work(run, concurrency, end)
  } finally {
    await engine.close()
  }
}

interface WorkerServices {
  options: ServeOptions
  journal: Journal
  root: string
  corpus: string
  coordinators: CoordinatorWatch
  runtimes: WorkerRuntimes
}

/**
 * Creates a function that works on one task. If the function throws LeaseHeld, the task is not available in
 * the queue until the time in that error.
 */
function createTaskRunner({ options, journal, root, corpus, coordinators, runtimes }: WorkerServices) {
  const refused = new Map<string, number>()
  const reportedStudies = new Set<string>()
  const busy = (study: string, why: string) => {
    if (!reportedStudies.has(study))
      options.tell({ event: 'note', about: 'queue', text: `${study} is busy: ${why}` })
    reportedStudies.add(study)
    return new LeaseHeld(Date.now() + busyPauseMs)
  }
  const runTask = async (job: StudyJob, stop: AbortSignal): Promise<void> => {
    const head = await headOf(journal, job.study)
    if (!head) throw busy(job.study, 'the server has lost it, and no coordinator has restored it')
    if (head.corpus !== corpus) throw new Error('the study is about other files than those of this worker')
    const name = `${job.study} ${job.task}`
    if ((refused.get(name) ?? 0) > Date.now() - refusalPauseMs)
      throw new LeaseHeld(Date.now() + refusalPauseMs)
    const led = await coordinators.begin(head.id)
    if (!led) throw busy(head.id, 'it has no coordinator')
    if (await isTimeOver(journal, head)) {
      coordinators.end(head.id)
      throw busy(head.id, 'its time is over')
    }
    reportedStudies.delete(head.id)
    const runtime = await runtimes.open(head.sources.includes('mcp'))
    const worker = prepareWorker({ runtime, journal, env: options.env, root, label: options.label })
    const model = () =>
      pickRemoteModel(head, runtime, options).catch((error: unknown) => {
        refused.set(name, Date.now())
        throw error
      })
    try {
      await workOnTask(job, { ...worker, model, cut: options.cut }, AbortSignal.any([stop, led]))
    } finally {
      coordinators.end(head.id)
    }
  }
  return (job: StudyJob, stop: AbortSignal) =>
    runTask(job, stop).catch((error: unknown) => {
      throw error instanceof StandstillError ? busy(job.study, messageOf(error)) : error
    })
}

/**
 * Returns an object whose `at` is the time (ms since 1970) until which an ending worker waits for an
 * unreachable server. `at` is undefined before `signal` aborts.
 */
function disconnectDeadline(signal: AbortSignal): { readonly at: number | undefined } {
  let at: number | undefined
  const set = () => {
    at = Date.now() + maxDisconnectedMs
  }
  if (signal.aborted) set()
  else signal.addEventListener('abort', set, { once: true })
  return {
    get at() {
      return at
    },
  }
}

interface WorkerRuntimes {
  /**
   * Opens a runtime at the first call for each value of `foreign`, and returns the same one later. `foreign`:
   * with the configured MCP servers, which start only for studies that use them.
   */
  open(foreign: boolean): Promise<Runtime>
  close(): Promise<void>
}

function openWorkerRuntimes({ env, cwd }: ServeOptions): WorkerRuntimes {
  const opened = new Map<boolean, Promise<Runtime>>()
  // the runtimes get a signal that never aborts: calls end with their step, not with the request to end
  const { signal } = new AbortController()
  return {
    open(foreign) {
      const place = { env, cwd, mode: 'ask', addDirs: [], terminal: undefined, signal, features } as const
      const base = { ...place, isWorkspaceLater: true }
      const runtime =
        opened.get(foreign) ?? openRuntime({ ...base, names: foreign ? undefined : workerToolNames })
      opened.set(foreign, runtime)
      return runtime
    },
    async close() {
      for (const runtime of opened.values()) await (await runtime).close()
    },
  }
}

function rootOf(requestedRoot: string, env: EnvironmentVariables): string {
  try {
    const root = realpathSync(requestedRoot)
    refuseOwnDirectory(root, env, '--root: ')
    return root
  } catch (cause) {
    if (cause instanceof UserError) throw cause
    throw new UserError(`--root: ${fileMessageOf(cause, requestedRoot)}`, {
      hint: 'name a directory that exists',
      cause,
    })
  }
}

/** Returns the files of the worker. Resolves to undefined if the worker is asked to end meanwhile. */
async function corpusOf(
  { corpus, signal }: ServeOptions,
  root: string,
  runtimes: WorkerRuntimes,
): Promise<{ id: string; files?: number; commit?: string; lines?: readonly string[] } | undefined> {
  if (corpus !== undefined) return { id: corpus }
  const { run } = (await runtimes.open(false)).resources.can.processes
  const survey = await surveyCorpus(root, [], run, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  if (!survey) return undefined
  const { id, files, lines } = survey
  if (files === 0)
    throw new UserError(`root has no readable files: ${root}`, { hint: 'name another one with --root' })
  return { id, files, lines, commit: run && (await readCommit(root, run)) }
}

/**
 * Returns true if the deadline of a study has passed. Then no task may begin until the study is resumed with
 * a new deadline.
 */
async function isTimeOver(journal: Journal, { id, deadline }: StudyHead): Promise<boolean> {
  if (deadline >= Date.now()) return false
  let until = deadline
  for await (const { kind, data } of readJournalLines(journal, id, 1))
    if (kind === 'limits') until = Number(data['deadline'])
  return until < Date.now()
}

/**
 * Returns the head of the study, or undefined while the server has lost the study. Throws if the first entry
 * of the log is not the head.
 */
async function headOf(journal: Journal, study: string): Promise<StudyHead | undefined> {
  const [first] = await journal.read(study, 0, 1)
  if (!first) return undefined
  if (first.kind !== 'study' || first.data['id'] !== study) throw new Error('the study has no head')
  return first.data as unknown as StudyHead
}
