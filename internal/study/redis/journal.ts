// Journal in a Redis server. Each change of the log, the leases and the budget is one script, so that all
// workers on all machines see the same order.

import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError } from '../../base/errors.ts'
import { createUlid } from '../../base/ids.ts'
import { hashBlob } from '../../store/journal/blob.ts'
import type {
  AppendResult,
  BudgetAccount,
  BudgetAmount,
  BudgetLimits,
  ClaimResult,
  Journal,
  JournalLine,
  NewJournalLine,
  ReserveResult,
} from '../../store/journal/journal.ts'
import { makeUnknownStudyError, StandstillError } from '../../store/journal/journal-errors.ts'
import type { Mailbox } from '../../store/mail/mailbox.ts'
import { groupHeartbeats } from './heartbeats.ts'
import { journalScripts } from './journal-scripts.ts'
import { createLineNotifier, type LineNotifier } from './line-notifier.ts'
import { redisMailbox, studyOf } from './mailbox.ts'
import { openRedisServer, type RedisServer } from './server.ts'

export interface RedisJournal extends Journal {
  readonly server: RedisServer
  /**
   * Writes the lines that the server has lost, and that the mirror has, to the server, and lets the study
   * continue. After a restart, the server accepts no writes for a study until its log was compared with the
   * mirror. Resolves to the number of restored lines.
   */
  restore(study: string, mirror: Pick<Journal, 'read'>, lost: StudyTotals): Promise<number>
}

/** Totals of a budget, which are written to the server only if the server has lost them. */
export interface StudyTotals {
  limits?: BudgetLimits
  spent?: BudgetAmount
}

interface RedisJournalOptions {
  /**
   * Longest time in milliseconds for which calls wait until a coordinator has restored a study on a restarted
   * server. Default: 20 minutes.
   */
  patienceMs?: number
  /**
   * Longest wait in milliseconds for the restoration of a study on a restarted server, when a task is claimed
   * or the leases are read. It is separate, because a worker that waits for one study cannot work for
   * another. Default: `patienceMs`.
   */
  claimPatienceMs?: number
  /**
   * Ends the waits for the restoration of a study when it aborts; the waiting calls then
   * reject with StandstillError.
   */
  signal?: AbortSignal
  /** Clock for tests. Default: the server's clock. */
  now?: () => number
}

/** Largest number of lines that are restored at once. */
const maxRestoredLines = 200
const week = 7 * 86_400_000
export const prefixOf = (study: string) => `anode:{${study}}:`
const newsOf = (study: string) => `${prefixOf(study)}news`

/**
 * Opens the mailboxes of all studies on a server. `closing` gets the function that closes the connection.
 * Throws UserError if the URL is invalid, or the server does not answer or rejects the password.
 */
export async function openRedisMailbox(
  url: string,
  closing: (close: () => Promise<void>) => void,
): Promise<Mailbox> {
  const server = await openRedisServer(url, { unsafe: true, patienceMs: 10_000 })
  closing(() => server.close())
  return redisMailbox(server, (scope) => prefixOf(studyOf(scope)))
}

/** Creates the journal. Closing it closes `server`. */
export function redisJournal(server: RedisServer, options: RedisJournalOptions = {}): RedisJournal {
  const news = createLineNotifier(server)
  const closed = new AbortController()
  const scripts = new ScriptRunner(server, options, closed.signal)
  return {
    server,
    mail: redisMailbox(server, (scope) => prefixOf(studyOf(scope)), options.now),
    ...lineOperations(scripts, news),
    ...leaseOperations(scripts),
    ...budgetOperations(scripts),
    ...blobOperations(scripts),
    async wait(study, after, ms, signal) {
      const until = AbortSignal.any([signal, closed.signal])
      await news.waitPast(newsOf(study), after, ms, until, () => scripts.last(study))
    },
    async close() {
      closed.abort()
      news.close()
      await server.close()
    },
  }
}

/**
 * Runs the scripts of a journal. After the server was restarted or has lost a study, waits until a
 * coordinator has restored the study; throws StandstillError if that takes longer than the limits of
 * `RedisJournalOptions`, and when the journal is closed or its signal aborts. Throws FailureError `not_found`
 * for a study that the server does not have and this process has never seen on it.
 */
class ScriptRunner {
  readonly server: RedisServer
  readonly #options: RedisJournalOptions
  readonly #over: AbortSignal
  /**
   * Studies that this process has seen on the server. If one of them disappears, the server has lost its
   * memory, and the coordinator has to restore it.
   */
  readonly #seen = new Set<string>()

  constructor(server: RedisServer, options: RedisJournalOptions, closed: AbortSignal) {
    this.server = server
    this.#options = options
    this.#over = options.signal ? AbortSignal.any([closed, options.signal]) : closed
  }

  async run<T>(study: string, name: keyof typeof journalScripts, args: object, writes = true): Promise<T> {
    const { patienceMs = 20 * 60_000, claimPatienceMs = patienceMs, now } = this.#options
    const end = performance.now() + (name === 'claim' || name === 'leases' ? claimPatienceMs : patienceMs)
    for (let pause = 50; ; pause = Math.min(pause * 2, 2_000)) {
      const answer = await this.server.run<{ state: string }>(
        journalScripts[name],
        prefixOf(study),
        { ...args, now: now ? now() : undefined },
        writes,
      )
      if (answer.state === 'missing' && !this.#seen.has(study)) throw makeUnknownStudyError(study)
      if (answer.state !== 'restarted' && answer.state !== 'missing') {
        this.#seen.add(study)
        return answer as T
      }
      if (performance.now() >= end || this.#over.aborted) throw new StandstillError(study)
      // An abort only ends the pause. The next check shows the state of the study.
      await sleep(pause, undefined, { signal: this.#over }).catch(() => undefined)
    }
  }

  remember(study: string): void {
    this.#seen.add(study)
  }

  knows(study: string): boolean {
    return this.#seen.has(study)
  }

  /** Returns the number of lines, 0 for an unknown study. */
  length(study: string): Promise<number> {
    return this.server.ask((client) => client.xlen(`${prefixOf(study)}log`))
  }

  /**
   * Returns the number of the last line. Throws FailureError `not_found` for a study that neither the server
   * nor this process knows.
   */
  async last(study: string): Promise<number> {
    const seq = await this.length(study)
    if (seq === 0 && !this.#seen.has(study)) throw makeUnknownStudyError(study)
    this.remember(study)
    return seq
  }
}

function lineOperations(
  scripts: ScriptRunner,
  news: LineNotifier,
): Pick<RedisJournal, 'create' | 'append' | 'read' | 'restore'> {
  return {
    async create(study, first, limits) {
      const { state } = await scripts.run<{ state: string }>(study, 'create', {
        batch: [writeLine(first)],
        limits,
      })
      if (state === 'taken') {
        throw new FailureError({ code: 'bad_args', message: `a study ${study} exists already` })
      }
    },
    append: (study, batch, fence, settled) =>
      scripts.run<AppendResult>(study, 'append', { batch: batch.map(writeLine), fence, settled }),
    async read(study, after, limit) {
      const streamEntries = await scripts.server.ask((client) =>
        client.xrange(`${prefixOf(study)}log`, `${after + 1}-0`, '+', 'COUNT', limit),
      )
      if (streamEntries.length === 0) {
        if (!scripts.knows(study)) await scripts.last(study)
        news.doubt(newsOf(study), after)
      }
      scripts.remember(study)
      return streamEntries.map(readLine)
    },
    async restore(study, mirror, totals) {
      let restored = 0
      for (;;) {
        const after = await scripts.length(study)
        const lines = await mirror.read(study, after, maxRestoredLines)
        const final = lines.length < maxRestoredLines
        const batch = lines.map((line) => ({ ...writeLine(line), seq: line.seq, ts: line.ts }))
        const { count } = await scripts.run<{ count: number }>(study, 'restore', { batch, final, ...totals })
        restored += count
        if (final) return restored
      }
    },
  }
}

function leaseOperations(
  scripts: ScriptRunner,
): Pick<Journal, 'enqueued' | 'claim' | 'heartbeat' | 'release' | 'leases'> {
  return {
    enqueued: async ({ study, task, epoch }) => void (await scripts.run(study, 'enqueued', { task, epoch })),
    claim: ({ study, ...job }, owner, leaseMs) =>
      scripts.run<ClaimResult>(study, 'claim', { ...job, owner, leaseMs }),
    heartbeat: groupHeartbeats(async (study, fences, leaseMs) => {
      const { held: leaseStates } = await scripts.run<{ held: boolean[] }>(study, 'beat', { fences, leaseMs })
      return leaseStates
    }),
    release: async (study, task, owner, isEnded) =>
      void (await scripts.run(study, 'release', { task, owner, ended: isEnded })),
    async leases(study) {
      const { leases } = await scripts.run<{ leases: Awaited<ReturnType<Journal['leases']>> }>(
        study,
        'leases',
        {},
        false,
      )
      // Lua cannot represent an empty list, so an empty list arrives as an empty object.
      return Array.isArray(leases) ? leases.sort((a, b) => (a.task < b.task ? -1 : 1)) : []
    },
  }
}

function budgetOperations(scripts: ScriptRunner): Pick<Journal, 'reserve' | 'settle' | 'account' | 'limit'> {
  return {
    async reserve(study, fence, amount, share, cap) {
      const input = { id: createUlid(), fence, amount, share, cap }
      const answer = await scripts.run<ReserveResult>(study, 'reserve', input)
      if (answer.state !== 'refused') return answer
      const endless = { tokens: Number.POSITIVE_INFINITY, usd: Number.POSITIVE_INFINITY }
      return { ...answer, left: { ...endless, ...answer.left } }
    },
    settle: async (study, reservation, usedAmount) =>
      void (await scripts.run(study, 'settle', { reservation, used: usedAmount })),
    async account(study, task = '') {
      const { spent, reserved, overrun } = await scripts.run<BudgetAccount>(study, 'account', { task }, false)
      return { spent, reserved, overrun }
    },
    limit: async (study, limits) => void (await scripts.run(study, 'limit', { limits })),
  }
}

function blobOperations(scripts: ScriptRunner): Pick<Journal, 'blob' | 'open'> {
  const keyOf = (study: string, hash: string) => `${prefixOf(study)}blob:${hash}`
  return {
    async blob(study, bytes) {
      const hash = hashBlob(bytes)
      await scripts.last(study)
      await scripts.server.ask((client) => client.set(keyOf(study, hash), Buffer.from(bytes), 'PX', week))
      return hash
    },
    open: async (study, hash) =>
      (await scripts.server.ask((client) => client.getBuffer(keyOf(study, hash)))) ?? undefined,
  }
}

/**
 * Returns a line in the form for the scripts. Its data stays a text, because Lua cannot distinguish an empty
 * list from an empty object.
 */
function writeLine({ kind, key, data }: NewJournalLine): { kind: string; key?: string; data: string } {
  return { kind, data: JSON.stringify(data), key }
}

function readLine([id, values]: [id: string, values: string[]]): JournalLine {
  const fields: Record<string, string> = {}
  for (let i = 0; i + 1 < values.length; i += 2) fields[values[i] as string] = values[i + 1] as string
  const { ts, kind = '', data = '{}', key } = fields
  return {
    seq: Number.parseInt(id, 10),
    ts: Number(ts),
    kind,
    key,
    data: JSON.parse(data) as JournalLine['data'],
  }
}
