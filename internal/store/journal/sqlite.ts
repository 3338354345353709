// The journal over the local database: one file that all processes of this machine open.
import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError } from '../../base/errors.ts'
import type { Connection } from '../connection.ts'
import { createMail } from '../mail/mail.ts'
import { localMailbox } from '../mail/mailbox.ts'
import { type Options, openDatabase } from '../sqlite.ts'
import { hashBlob } from './blob.ts'
import type { Journal, Line } from './journal.ts'
import { beat, claim, enqueued, leases, release } from './lease.ts'
import { append, mirror, open, read } from './lines.ts'
import { place } from './place.ts'
import { account, limit, reserve, settle } from './purse.ts'
import { createStudies, type Studies } from './studies.ts'

export interface LocalJournal extends Journal {
  readonly studies: Studies
  /** The connection, for the queue of this machine. */
  readonly db: Connection
  /** Takes over lines of a log that is kept elsewhere; returns the last `seq` that is here now. */
  mirror(study: string, lines: readonly Line[]): Promise<number>
}

/** How often a waiting reader looks for lines of other processes. */
const lookMs = 50

/** Opens `<dir>/anode.db`; whoever opens it closes it. Throws as `openDatabase`. */
export async function openJournal(dir: string, options: Options = {}): Promise<LocalJournal> {
  return createJournal(await openDatabase(dir, options), options.now ?? Date.now)
}

export function createJournal(db: Connection, now: () => number): LocalJournal {
  return {
    db,
    studies: createStudies(db),
    mail: localMailbox(createMail(db, now)),
    create: async (study, first, limits) =>
      db.write(() => {
        if (!open(db, study, { ts: now(), data: first.data })) throw taken(study)
        append(db, now(), study, [first])
        limit(db, study, limits)
      }),
    append: async (study, batch, fence, settled) =>
      db.write(() => {
        const done = append(db, now(), study, batch, fence)
        if (done.state === 'ok' && settled) settle(db, study, settled.reservation, settled.used)
        return done
      }),
    read: async (study, after, most) => read(db, study, after, most),
    wait: async (study, after, ms, signal) => {
      // the journal's clock may be a test's, waiting is always in real time
      for (const end = Date.now() + ms; !signal.aborted; ) {
        if (place(db, study).last > after || Date.now() >= end) return
        await nap(Math.min(lookMs, end - Date.now()), signal)
      }
    },
    mirror: async (study, lines) => db.write(() => mirror(db, study, lines)),

    enqueued: async (job) => db.write(() => enqueued(db, job)),
    claim: async (job, owner, leaseMs) => db.write(() => claim(db, now(), job, owner, leaseMs)),
    beat: async (study, fence, leaseMs) => db.write(() => beat(db, now(), study, fence, leaseMs)),
    release: async (study, task, owner, ended) => db.write(() => release(db, study, task, owner, ended)),
    leases: async (study) => leases(db, now(), study),

    reserve: async (study, fence, amount, share, cap) =>
      db.write(() => reserve(db, study, fence, amount, share, cap)),
    settle: async (study, reservation, used) => db.write(() => settle(db, study, reservation, used)),
    account: async (study, task) => account(db, study, task),
    limit: async (study, limits) => db.write(() => limit(db, study, limits)),

    blob: async (study, bytes) => {
      const hash = hashBlob(bytes)
      const put = 'INSERT INTO study_blob (study, hash, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
      db.write(() => db.run(put, place(db, study).n, hash, bytes))
      return hash
    },
    open: async (study, hash) => {
      const find = 'SELECT bytes FROM study_blob WHERE study = ? AND hash = ?'
      return db.get<{ bytes: Uint8Array }>(find, place(db, study).n, hash)?.bytes
    },
    close: async () => db.close(),
  }
}

async function nap(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(Math.max(1, ms), undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function taken(study: string): FailureError {
  return new FailureError({ code: 'bad_args', message: `a study ${study} exists already` })
}
