// A study whose log, budget and messages are stored on a server. This machine keeps a copy of the log;
// workers may run on any machine.

import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../../base/errors.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { waitAtMost } from '../../base/time-limit.ts'
import { shareLimits } from '../../model/limits/shared-limits.ts'
import { modelTape } from '../../model/model-choice.ts'
import type { NewJournalLine } from '../../store/journal/journal.ts'
import type { StudyEngine } from '../../study/engine/study-engine.ts'
import { createWorkerPool, type WorkerPool } from '../../study/engine/worker-pool.ts'
import { makeStudyEntry, type StudyHead } from '../../study/log/entries.ts'
import type { StudyState } from '../../study/log/state.ts'
import type { StudyCorpus } from '../../study/log/study-conditions.ts'
import { type RedisJournal, redisJournal } from '../../study/redis/journal.ts'
import { keepLiveEntry, type LiveEntry } from '../../study/redis/live-entries.ts'
import { mirrorJournal } from '../../study/redis/mirrored-journal.ts'
import { queueEngine } from '../../study/redis/queue-engine.ts'
import { openRedisServer, type RedisServer } from '../../study/redis/server.ts'
import { redisLimits } from '../../study/redis/shared-limits.ts'
import {
  closeWorkerPool,
  countWantedSlots,
  definedVariables,
  releaseDeadLeases,
  type StudyBackend,
  type StudyBackendOptions,
} from './backend.ts'
import { offerFiles } from './compared-files.ts'
import type { WorkerAssignment } from './local-worker.ts'
import { readMirroredState } from './mirrored-state.ts'
import { budgetLimits } from './request.ts'
import { wantedName } from './wanted-commits.ts'
import { describeOthers, hasOtherFiles, readServerWorkers } from './worker-list.ts'

export interface StudyServer {
  /** The URL without its password. */
  readonly shown: string
  /** Journal lines with notices about this server, for the log of a study. */
  readonly warnings: readonly NewJournalLine[]
  /**
   * Aborts when the server is unreachable and the time of the study is over. Before `place` sets that time,
   * aborts when the server is unreachable 20 minutes after it was opened.
   */
  readonly lost: AbortSignal
  /**
   * Opens the backend. Throws UserError if the study is to have no workers on this machine and no other
   * worker connects in time.
   */
  place(options: StudyBackendOptions): Promise<StudyBackend>
  /** Restores entries that only the local copy has. Resolves to the number of restored entries. */
  restore(options: StudyBackendOptions, state: StudyState): Promise<number>
  /**
   * Returns the state of a study from the local copy of its log, for a lost server; undefined if
   * nothing was copied.
   */
  readonly readMirror: typeof readMirroredState
  append(study: string, batch: readonly NewJournalLine[]): Promise<unknown>
  close(): Promise<void>
}

const patienceMs = 20 * 60_000

/**
 * Maximum milliseconds to wait for the workers to end, and again for the queue to close, after the
 * server is lost.
 */
const lostCloseMs = 500

/** Opens the server. Throws UserError if it does not respond or, without `unsafe`, if it may lose data. */
export async function openStudyServer(
  url: string,
  { unsafe, say }: { unsafe: boolean; say: (text: string) => void },
): Promise<StudyServer> {
  let until = Date.now() + patienceMs
  const server = await openRedisServer(url, { unsafe, say, giveUpAt: () => until })
  shareLimits(redisLimits(server))
  const journal = redisJournal(server)
  for (const text of server.notes) say(text)
  return {
    shown: server.address.shown,
    warnings: server.notes.map((text) => makeStudyEntry('notice', { code: 'engine_unsafe', text })),
    lost: server.lost,
    async restore({ head, local }, { usage }) {
      const spent = { tokens: usage.input + usage.output, usd: usage.usd ?? 0 }
      return journal.restore(head.id, local, { limits: budgetLimits(head.budget), spent })
    },
    async place({ head, local, runtime, run, placement }) {
      // a resumed study gets its whole time again
      until = Math.max(head.deadline, Date.now() + head.deadline - head.created)
      const here = placement.local ?? head.workers
      const offer = offerFiles(server, head, runtime.resources.can.processes.run, run.signal)
      const explain = () => offer.check(() => needsFiles(server, head))
      const { engine, wanted: filesEntry } = await openQueue(server, head, run.note, async (opened) => {
        if (here === 0)
          await firstWorker(opened, head, placement.workerWaitMs, { server, explain }, run.signal)
      })
      const copied = copyJournal(journal, local, server.address.shown, say)
      const study = head.id
      const pool = createWorkerPool({
        spawn: runtime.resources.spawn,
        file: process.execPath,
        args: [run.program, '--study-worker'],
        cwd: head.project,
        env: definedVariables(run.env),
        slots: here,
        order: (slots) => assignmentOf(head, slots, { url, unsafe: placement.unsafe }),
        // the leases of the ended worker are released, so that the queue gives its tasks to other workers
        gone: async () => releaseDeadLeases(journal, study),
        signal: run.signal,
        log: run.note,
      })
      return {
        journal: copied,
        engine,
        tend(state) {
          void explain()
          return pool.ensure(Math.min(here, countWantedSlots(state)))
        },
        close: (state) => closeBackend({ pool, engine, wanted: filesEntry, lost: server.lost }, state),
      }
    },
    readMirror: readMirroredState,
    append: (study, batch) => journal.append(study, batch),
    close() {
      shareLimits(undefined)
      return journal.close()
    },
  }
}

/**
 * Opens the queue of a study and its entry in the list of wanted workers. If `wait` rejects, both are closed
 * before this function rejects, because their timers and connections would keep this process alive.
 */
async function openQueue(
  server: RedisServer,
  head: StudyHead,
  log: (text: string) => void,
  wait: (engine: StudyEngine) => Promise<void>,
) {
  const engine = await queueEngine(server, { corpus: head.corpus, log })
  const filesEntry = await wantFiles(server, head)
  try {
    await wait(engine)
  } catch (error) {
    await closeQueue({ engine, wanted: filesEntry, lost: server.lost })
    throw error
  }
  return { engine, wanted: filesEntry }
}

/** Returns the journal of the server, which also copies each line to this machine and restores lost ones. */
function copyJournal(
  journal: RedisJournal,
  local: StudyBackendOptions['local'],
  shownAddress: string,
  say: (text: string) => void,
) {
  return mirrorJournal(journal, local, (study, lines) => {
    const text = `${shownAddress} came back ${countNoun(lines, 'line')} short and got them again`
    say(text)
    // an error is ignored, because other writes then fail too and report it
    journal
      .append(study, [makeStudyEntry('notice', { code: 'journal_restored', text })])
      .catch(() => undefined)
  })
}

interface OpenedQueue {
  engine: StudyEngine
  wanted: LiveEntry
  lost: AbortSignal
}

interface OpenedBackend extends OpenedQueue {
  pool: WorkerPool
}

/**
 * Closes workers and queue. After a loss of the server, neither can end in order, so this waits only
 * `lostCloseMs` for each.
 */
async function closeBackend(backend: OpenedBackend, state: StudyState | undefined): Promise<void> {
  const { pool, wanted: filesEntry, lost } = backend
  await filesEntry.remove()
  await (lost.aborted ? waitAtMost(pool.close(true), lostCloseMs) : closeWorkerPool(pool, state))
  await closeQueue(backend)
}

async function closeQueue({ engine, wanted: filesEntry, lost }: OpenedQueue): Promise<void> {
  await filesEntry.remove()
  await (lost.aborted ? waitAtMost(engine.close(), lostCloseMs) : engine.close())
}

/** Returns the assignment for a local worker process. */
function assignmentOf(
  { id: study, project, root, corpus, model, sources }: StudyHead,
  slots: number,
  server: { url: string; unsafe: boolean },
): WorkerAssignment {
  const foreign = sources.includes('mcp')
  const tape = { tape: modelTape() }
  return { study, project, foreign, slots, ...tape, server: { ...server, corpus, root, model: model.name } }
}

/**
 * Publishes an entry that asks workers for the files of the study. If no file differs from the commit, the
 * entry names the commit. The request ends when the entry is removed.
 */
async function wantFiles(server: RedisServer, { corpus, revision }: StudyCorpus): Promise<LiveEntry> {
  const isCommitted = revision && revision.changed.count === 0
  const wantedCommit = isCommitted ? { commit: revision.commit, prefix: revision.prefix } : {}
  return keepLiveEntry(server, wantedName, corpus, () => wantedCommit)
}

const needsFiles = async (server: RedisServer, head: StudyHead): Promise<boolean> =>
  (await readServerWorkers(server)).some((worker) => hasOtherFiles(worker, head))

async function firstWorker(
  engine: StudyEngine,
  head: StudyHead,
  waitMs: number,
  { server, explain }: { server: RedisServer; explain(): Promise<void> },
  signal: AbortSignal,
): Promise<void> {
  const end = Date.now() + waitMs
  while ((await engine.health()).workers === 0) {
    await explain()
    if (Date.now() >= end) {
      const others = describeOthers(await readServerWorkers(server), head)
      throw new UserError(`no worker serves corpus ${head.corpus.slice(0, 12)} at ${head.engine}${others}`, {
        hint: `Start "anode worker --engine ${head.engine}" where the same files are, or use --local N.`,
      })
    }
    await sleep(Math.min(250, Math.max(1, end - Date.now())), undefined, { signal })
  }
}
