// The journal in a Redis server: each operation is one script, so that all workers on all machines see one
// order.

import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '../../base/defined.ts'
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
import { journalScripts } from './journal-scripts.ts'
import { createLineNotifier } from './line-notifier.ts'
import { redisMailbox, studyOf } from './mailbox.ts'
import type { RedisServer } from './server.ts'

export interface RedisJournal extends Journal {
  readonly server: RedisServer
  /**
   * Gives the server back the lines of a mirror that it has lost and lets the study go on: after a restart of
   * the server nothing is written until its log has been compared with the mirror. Resolves to the number of
   * lines.
   */
  restore(study: string, mirror: Pick<Journal, 'read'>, lost: StudyTotals): Promise<number>
}

/** Taken only where the server has lost its own. */
export interface StudyTotals {
  limits?: BudgetLimits
  spent?: BudgetAmount
}

interface RedisJournalOptions {
  /** How long a study may stand still after a restart of the server, in ms; default 20 minutes. */
  patienceMs?: number
  /** The same for taking a task and looking who leads: a worker that waits for one study serves no other. */
  claimPatienceMs?: number
  /** Ends all such waiting. */
  signal?: AbortSignal
  /** For tests; the server's clock otherwise. */
  now?: () => number
}

/** Lines that are given back at once. */
const maxRestoredLines = 200
const week = 7 * 86_400_000
/** A word of the server that gets lost delays a waiting reader by this much. */
const announcementTimeoutMs = 1_000

export const prefixOf = (study: string) => `anode:{${study}}:`

/** Closes `server` with itself. */
export function redisJournal(server: RedisServer, options: RedisJournalOptions = {}): RedisJournal {
  const news = createLineNotifier(server)
  const closed = new AbortController()
  const over = options.signal ? AbortSignal.any([closed.signal, options.signal]) : closed.signal
  // a study that was there and is not has been lost with the server's memory, and its coordinator brings it
  // back
  const seen = new Set<string>()
  const once = <T>(study: string, name: keyof typeof journalScripts, args: object, writes = true) =>
    server.run<T | { state: 'missing' } | { state: 'restarted' }>(
      journalScripts[name],
      prefixOf(study),
      { ...args, ...(options.now && { now: options.now() }) },
      writes,
    )
  const run = async <T>(study: string, name: keyof typeof journalScripts, args: object, writes = true) => {
    const { patienceMs = 20 * 60_000, claimPatienceMs = patienceMs } = options
    const end = performance.now() + (name === 'claim' || name === 'leases' ? claimPatienceMs : patienceMs)
    for (let pause = 50; ; pause = Math.min(pause * 2, 2_000)) {
      const answer = await once<T>(study, name, args, writes)
      const { state } = answer as { state: string }
      if (state === 'missing' && !seen.has(study)) throw makeUnknownStudyError(study)
      if (state !== 'restarted' && state !== 'missing') {
        seen.add(study)
        return answer as T
      }
      if (performance.now() >= end || over.aborted) throw new StandstillError(study)
      // the look that follows tells what has become of it
      await sleep(pause, undefined, { signal: over }).catch(() => undefined)
    }
  }
  const length = (study: string) => server.ask((client) => client.xlen(`${prefixOf(study)}log`))
  const last = async (study: string) => {
    const seq = await length(study)
    if (seq === 0 && !seen.has(study)) throw makeUnknownStudyError(study)
    seen.add(study)
    return seq
  }

  const read: Journal['read'] = async (study, after, limit) => {
    const found = await server.ask((client) =>
      client.xrange(`${prefixOf(study)}log`, `${after + 1}-0`, '+', 'COUNT', limit),
    )
    if (found.length === 0) await last(study)
    seen.add(study)
    return found.map(readLine)
  }

  return {
    server,
    mail: redisMailbox(server, (scope) => prefixOf(studyOf(scope)), options.now),
    read,
    async create(study, first, limits) {
      const { state } = await run<{ state: string }>(study, 'create', { batch: [writeLine(first)], limits })
      if (state === 'taken') {
        throw new FailureError({ code: 'bad_args', message: `a study ${study} exists already` })
      }
    },
    append: (study, batch, fence, settled) =>
      run<AppendResult>(study, 'append', {
        batch: batch.map(writeLine),
        ...defined({ fence, settled }),
      }),
    async wait(study, after, ms, signal) {
      const channel = `${prefixOf(study)}news`
      const end = Date.now() + ms
      await news.listen(channel)
      while (!signal.aborted && !closed.signal.aborted) {
        const seq = await last(study)
        const left = end - Date.now()
        if (seq > after || left <= 0) return
        await news.waitPast(channel, after, Math.min(left, announcementTimeoutMs), signal)
      }
    },

    enqueued: async ({ study, task, epoch }) => void (await run(study, 'enqueued', { task, epoch })),
    claim: ({ study, ...job }, owner, leaseMs) =>
      run<ClaimResult>(study, 'claim', { ...job, owner, leaseMs }),
    async heartbeat(study, fence, leaseMs) {
      return (await run<{ state: string }>(study, 'beat', { fence, leaseMs })).state === 'ok'
    },
    release: async (study, task, owner, ended) => void (await run(study, 'release', { task, owner, ended })),
    async leases(study) {
      const answer = await run<{ leases: Awaited<ReturnType<Journal['leases']>> }>(study, 'leases', {}, false)
      return Array.isArray(answer.leases) ? answer.leases.sort((a, b) => (a.task < b.task ? -1 : 1)) : []
    },

    async reserve(study, fence, amount, share, cap) {
      const answer = await run<ReserveResult>(study, 'reserve', {
        id: createUlid(),
        fence,
        amount,
        share,
        cap,
      })
      if (answer.state !== 'refused') return answer
      const endless = { tokens: Number.POSITIVE_INFINITY, usd: Number.POSITIVE_INFINITY }
      return { ...answer, left: { ...endless, ...answer.left } }
    },
    settle: async (study, reservation, used) => void (await run(study, 'settle', { reservation, used })),
    async account(study, task) {
      const { spent, reserved, overrun } = await run<BudgetAccount>(
        study,
        'account',
        { task: task ?? '' },
        false,
      )
      return { spent, reserved, overrun }
    },
    limit: async (study, limits) => void (await run(study, 'limit', { limits })),

    async blob(study, bytes) {
      const hash = hashBlob(bytes)
      await last(study)
      const key = `${prefixOf(study)}blob:${hash}`
      await server.ask((client) => client.set(key, Buffer.from(bytes), 'PX', week))
      return hash
    },
    open: async (study, hash) =>
      (await server.ask((client) => client.getBuffer(`${prefixOf(study)}blob:${hash}`))) ?? undefined,

    async restore(study, mirror, totals) {
      let restored = 0
      for (;;) {
        const after = await length(study)
        const lines = await mirror.read(study, after, maxRestoredLines)
        const final = lines.length < maxRestoredLines
        const batch = lines.map((line) => ({ ...writeLine(line), seq: line.seq, ts: line.ts }))
        const { count } = await run<{ count: number }>(study, 'restore', { batch, final, ...totals })
        restored += count
        if (final) return restored
      }
    },

    async close() {
      closed.abort()
      news.close()
      await server.close()
    },
  }
}

/** Data goes through the scripts as text: Lua could not tell an empty list from an empty object. */
function writeLine({ kind, key, data }: NewJournalLine): { kind: string; key?: string; data: string } {
  return { kind, data: JSON.stringify(data), ...(key !== undefined && { key }) }
}

function readLine([id, values]: [id: string, values: string[]]): JournalLine {
  const fields: Record<string, string> = {}
  for (let i = 0; i + 1 < values.length; i += 2) fields[values[i] as string] = values[i + 1] as string
  const { ts, kind = '', data = '{}', key } = fields
  return {
    seq: Number.parseInt(id, 10),
    ts: Number(ts),
    kind,
    ...(key !== undefined && { key }),
    data: JSON.parse(data) as JournalLine['data'],
  }
}
