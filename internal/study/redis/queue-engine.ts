// Hands tasks to workers on many machines through a queue in the Redis server that keeps the studies.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job as QueueJob } from 'bullmq'
import * as z from 'zod/mini'
import { messageOf } from '../../base/errors.ts'
import { type EngineHealth, LeaseHeld, type StudyEngine } from '../engine/study-engine.ts'
import type { RedisServer } from './server.ts'

interface QueueOptions {
  /** Digest of the files that are studied: only workers with the same get the tasks. */
  corpus: string
  /** Name of this worker, seen by others in `health`. */
  label?: string
  /** Called with what went wrong with jobs and the queue, one line each. */
  log?: (text: string) => void
}

/** A worker that is silent for this long is taken for dead, and its job goes to another one. */
const lockMs = 15_000
/** How often that is looked for. */
const stalledMs = 5_000
/** A held job comes back after this long at most: clocks of machines differ. */
const maxDelayMs = 5_000

export const queuePrefix = 'anode'
export const queueNameOf = (corpus: string) => `anode-study-${corpus.slice(0, 12)}`

/** The only thing that a queue can say. Whatever else stands in an entry is not looked at. */
const entry = z.strictObject({
  study: z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/)),
  task: z.string().check(z.regex(/^t\d{1,4}$/)),
  epoch: z.int().check(z.minimum(0)),
})

/** Uses the connection of `server`; whoever opened it closes it after `close`. */
export async function queueEngine(server: RedisServer, options: QueueOptions): Promise<StudyEngine> {
  const { Queue, Worker, DelayedError } = await import('bullmq')
  const { corpus, log = () => undefined } = options
  const name = queueNameOf(corpus)
  const queue = new Queue<unknown>(name, { connection: server.client, prefix: queuePrefix })
  // while the server is away every connection says so again and again; the server's own says it once
  const trouble = (error: Error) => {
    if (server.client.status === 'ready') log(messageOf(error))
  }
  queue.on('error', trouble)
  await queue.waitUntilReady()

  const delay = async (job: QueueJob<unknown>, token: string | undefined, untilMs: number) => {
    const ms = Math.min(Math.max(untilMs - Date.now(), 250), maxDelayMs)
    await job.moveToDelayed(Date.now() + ms, token)
    throw new DelayedError()
  }

  return {
    async enqueue(job) {
      await server.ask(() =>
        queue.add('task', job, {
          jobId: `${job.study}.${job.task}.${job.epoch}`,
          attempts: 1,
          removeOnComplete: true,
          removeOnFail: true,
        }),
      )
    },

    async work(run, concurrency, signal) {
      const take = async (
        queued: QueueJob<unknown>,
        token: string | undefined,
        lost: AbortSignal | undefined,
      ) => {
        const read = entry.safeParse(queued.data)
        if (!read.success) return log(`dropped the entry ${queued.id}: it does not name a task`)
        const stop = lost ? AbortSignal.any([signal, lost]) : signal
        try {
          await run(read.data, stop)
        } catch (error) {
          if (error instanceof LeaseHeld) await delay(queued, token, error.untilMs)
          log(`${read.data.study} ${read.data.task}: ${messageOf(error)}`)
        }
      }
      const make = () => {
        const worker = new Worker<unknown>(name, (job, token, lost) => take(job, token, lost), {
          connection: server.client,
          prefix: queuePrefix,
          concurrency,
          autorun: false,
          lockDuration: lockMs,
          stalledInterval: stalledMs,
          maxStalledCount: 2,
          ...(options.label !== undefined && { name: options.label.replaceAll(/[^\x21-\x7e]/g, '-') }),
        })
        worker.on('error', trouble)
        // a lock that could not be renewed belongs to somebody else by now
        worker.on('lockRenewalFailed', (ids) => {
          for (const id of ids) worker.cancelJob(id, 'the lock is lost')
        })
        return worker
      }
      const end = AbortSignal.any([signal, server.lost])
      while (!end.aborted) {
        const worker = make()
        try {
          // one whose connections break before they stand never takes a job: it is made anew
          await worker.waitUntilReady()
        } catch (error) {
          log(messageOf(error))
          await worker.close(true)
          await sleep(500)
          continue
        }
        const running = worker.run().catch((error: unknown) => log(messageOf(error)))
        await aborted(end)
        await worker.close(server.lost.aborted)
        await running
      }
      server.lost.throwIfAborted()
    },

    async cancel(study) {
      const waiting = await server.ask(() => queue.getJobs(['waiting', 'delayed', 'prioritized']))
      for (const job of waiting) {
        const read = entry.safeParse(job?.data)
        // one that a worker has taken meanwhile finds its task ended
        if (read.success && read.data.study === study) await job.remove().catch(() => undefined)
      }
    },

    async health(): Promise<EngineHealth> {
      return server.ask(async () => {
        const workers = await queue.getWorkers()
        const {
          waiting = 0,
          active = 0,
          delayed = 0,
        } = await queue.getJobCounts('waiting', 'active', 'delayed')
        const labels = workers
          .map((worker) => worker['rawname']?.split(':w:')[1] ?? worker['addr'] ?? '?')
          .sort()
        return {
          workers: workers.length,
          notes: [
            `queue ${name}: ${waiting} waiting, ${active} running, ${delayed} delayed`,
            ...labels.map((label) => `worker ${label}`),
            ...server.notes,
          ],
        }
      })
    },

    close: () => queue.close(),
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }))
}
