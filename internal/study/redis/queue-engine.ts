// Engine for workers on many machines, which share a queue in the Redis server of the study.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Processor, Queue, Job as QueueJob, Worker } from 'bullmq'
import * as z from 'zod/mini'
import { messageOf } from '../../base/errors.ts'
import { untilAborted } from '../../base/time-limit.ts'
import type { StudyJob } from '../../store/journal/journal.ts'
import { type EngineHealth, LeaseHeld, type StudyEngine } from '../engine/study-engine.ts'
import type { RedisServer } from './server.ts'

interface QueueOptions {
  /** Digest of the studied files. Only workers whose files have this digest get the tasks. */
  corpus: string
  /** Name of this worker, which `health` shows to others. */
  label?: string
  /**
   * Called with one line for each failed job, dropped entry and error of the queue; not for errors while the
   * server cannot be reached.
   */
  log?: (text: string) => void
}

/** Milliseconds of silence after which a worker counts as dead and its job goes to another worker. */
const lockMs = 15_000
/**
 * Milliseconds between two checks of a coordinator for lost workers. It is longer than on one machine,
 * because each check asks the server, and a lost worker keeps its lease for 10 seconds anyway.
 */
const leasePollMs = 2_000
/** Milliseconds between checks for dead workers. */
const stalledMs = 5_000
/**
 * Largest delay in milliseconds before a job whose task is leased is delivered again. It is limited, because
 * the clocks of machines differ.
 */
const maxDelayMs = 5_000

export const queuePrefix = 'anode'
export const queueNameOf = (corpus: string) => `anode-study-${corpus.slice(0, 12)}`

/** Schema of an entry in the queue. An entry with other content is dropped with a line in the log. */
const entry = z.strictObject({
  study: z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/)),
  task: z.string().check(z.regex(/^t\d{1,9}$/)),
  epoch: z.int().check(z.minimum(0)),
})

/** Creates the engine on the connection of `server`. The owner of the connection closes it after `close`. */
export async function queueEngine(server: RedisServer, options: QueueOptions): Promise<StudyEngine> {
  const bullmq = await import('bullmq')
  const name = queueNameOf(options.corpus)
  const queue = new bullmq.Queue<unknown>(name, { connection: server.client, prefix: queuePrefix })
  const log = options.log ?? (() => undefined)
  const loop: QueueLoop = {
    bullmq,
    server,
    name,
    label: options.label,
    log,
    // While the server cannot be reached, every connection repeats the error. The main connection reports it
    // once, so it is ignored here.
    trouble(error) {
      if (server.client.status === 'ready') log(messageOf(error))
    },
  }
  queue.on('error', loop.trouble)
  await queue.waitUntilReady()

  return {
    leasePollMs,
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
    work: (run, concurrency, signal) => workOnQueue(loop, run, concurrency, signal),
    async cancel(study) {
      const waiting = await server.ask(() => queue.getJobs(['waiting', 'delayed', 'prioritized']))
      for (const job of waiting) {
        const read = entry.safeParse(job?.data)
        // `remove` fails for a job that a worker has taken meanwhile. That worker sees that its
        // task has ended.
        if (read.success && read.data.study === study) await job.remove().catch(() => undefined)
      }
    },
    health: () => server.ask(() => readHealth(queue, server.notes)),
    close: () => endWithServer(queue.close(), server),
  }
}

async function readHealth(queue: Queue, notes: readonly string[]): Promise<EngineHealth> {
  const workers = await queue.getWorkers()
  const { waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts('waiting', 'active', 'delayed')
  const labels = workers.map((worker) => worker['rawname']?.split(':w:')[1] ?? worker['addr'] ?? '?').sort()
  return {
    workers: workers.length,
    notes: [
      `queue ${queue.name}: ${waiting} waiting, ${active} running, ${delayed} delayed`,
      ...labels.map((label) => `worker ${label}`),
      ...notes,
    ],
  }
}

/** Milliseconds in which workers may end properly after the server is lost. */
const lostCloseMs = 500

/**
 * Waits for `end`, but at most `lostCloseMs` after the server is lost, because a lost server never answers.
 */
async function endWithServer(end: Promise<unknown>, { lost }: RedisServer): Promise<void> {
  end.catch(() => undefined)
  await Promise.race([end, untilAborted(lost).then(() => sleep(lostCloseMs))])
}

/** Resources of a worker for one queue. */
interface QueueLoop {
  bullmq: typeof import('bullmq')
  server: RedisServer
  name: string
  label: string | undefined
  log(text: string): void
  trouble(error: Error): void
}

type RunJob = Parameters<StudyEngine['work']>[0]

/** Works on the queue until `signal` aborts or the server is lost. Rejects if the server is lost. */
async function workOnQueue(
  loop: QueueLoop,
  run: RunJob,
  concurrency: number,
  signal: AbortSignal,
): Promise<void> {
  const { server, log } = loop
  const end = AbortSignal.any([signal, server.lost])
  while (!end.aborted) {
    const worker = openWorker(loop, concurrency, (job, token, lost) =>
      runQueued(loop, job, token, (entry) => run(entry, lost ? AbortSignal.any([signal, lost]) : signal)),
    )
    try {
      // A worker whose first connections fail never takes a job, so it is created again.
      await Promise.race([worker.waitUntilReady(), untilAborted(end)])
    } catch (error) {
      log(messageOf(error))
      await worker.close(true)
      await sleep(500)
      continue
    }
    if (end.aborted) {
      // A server that hangs never answers the end of a worker, so this wait is limited.
      await Promise.race([worker.close(true).catch(() => undefined), sleep(lostCloseMs)])
      break
    }
    const running = worker.run().catch((error: unknown) => log(messageOf(error)))
    await untilAborted(end)
    await endWithServer(
      worker.close(server.lost.aborted).then(() => running),
      server,
    )
  }
  server.lost.throwIfAborted()
}

function openWorker(
  { bullmq, server, name, label, trouble }: QueueLoop,
  concurrency: number,
  take: Processor<unknown>,
): Worker<unknown> {
  const worker = new bullmq.Worker<unknown>(name, take, {
    connection: server.client,
    prefix: queuePrefix,
    concurrency,
    autorun: false,
    lockDuration: lockMs,
    stalledInterval: stalledMs,
    maxStalledCount: 2,
    ...(label !== undefined && { name: label.replaceAll(/[^\x21-\x7e]/g, '-') }),
  })
  worker.on('error', trouble)
  // If a lock could not be renewed, another worker may have the job by now, so the job is stopped here.
  worker.on('lockRenewalFailed', (ids) => {
    for (const id of ids) worker.cancelJob(id, 'the lock is lost')
  })
  return worker
}

/**
 * Runs one job of the queue. Throws the queue's DelayedError if `run` throws LeaseHeld, so that the queue
 * delivers the job again later. Other errors are logged. An entry in another form is dropped with a line
 * in the log.
 */
async function runQueued(
  { bullmq, log }: QueueLoop,
  queued: QueueJob<unknown>,
  token: string | undefined,
  run: (job: StudyJob) => Promise<void>,
): Promise<void> {
  const read = entry.safeParse(queued.data)
  if (!read.success) return log(`dropped the entry ${queued.id}: it does not name a task`)
  try {
    await run(read.data)
  } catch (error) {
    if (error instanceof LeaseHeld) {
      const ms = Math.min(Math.max(error.untilMs - Date.now(), 250), maxDelayMs)
      await queued.moveToDelayed(Date.now() + ms, token)
      throw new bullmq.DelayedError()
    }
    log(`${read.data.study} ${read.data.task}: ${messageOf(error)}`)
  }
}
