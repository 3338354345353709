// Entry of a worker on a study server, which lists of workers show, and the commits whose files
// the worker offers.

import type { EnvironmentVariables } from '../../base/environment.ts'
import { processIdentity } from '../../base/process-identity.ts'
import type { WorkerFiles, WorkerRecord } from '../../study/engine/worker-record.ts'
import { keepLiveEntry, type LiveEntry } from '../../study/redis/live-entries.ts'
import type { RedisServer } from '../../study/redis/server.ts'
import { type CheckedOutFiles, watchWantedCommits } from './wanted-commits.ts'
import { thisHost } from './worker-environment.ts'
import { workersName } from './worker-list.ts'
import type { WorkerNews } from './worker-news.ts'

/** Options of a worker that takes tasks of studies from a server. */
export interface ServeOptions {
  /** URL of the server with its password. */
  engine: string
  unsafe: boolean
  concurrency: number
  root: string
  /** Digest of the files below `root`, if already known. */
  corpus?: string
  /** Model of the worker. Default: the model of each study, if it needs no file of this machine. */
  model?: string
  /** Whether to end after one task. */
  once: boolean
  label: string
  cwd: string
  env: EnvironmentVariables
  /** Aborts when this process is asked to end. The current steps are finished. */
  signal: AbortSignal
  /**
   * Signal that interrupts a step that takes too long after `signal`. Default: the step is finished first.
   */
  cut?: AbortSignal
  tell(news: WorkerNews): void
}

/**
 * Largest number of wanted file sets that the record names with the reason why the worker cannot serve them.
 * Older ones are dropped.
 */
const maxRefused = 20

interface AnnouncedWorker {
  /** Entry of the worker in lists of workers. Its field `busy` counts the running tasks. */
  readonly record: WorkerRecord
  /** Calls `serve` with the files of each commit that a study wants, until `signal` aborts. */
  serveCommits(
    watch: Pick<Parameters<typeof watchWantedCommits>[0], 'run' | 'signal' | 'files'>,
    serve: (files: CheckedOutFiles) => void,
  ): Promise<void>
  remove(): Promise<void>
}

/** Stores the record of this worker on the server, and renews it until `remove`. */
export async function announceWorker(
  server: RedisServer,
  { label, concurrency, model, env, tell }: ServeOptions,
  root: string,
  workerFiles: WorkerFiles,
): Promise<AnnouncedWorker> {
  const record: WorkerRecord = {
    label,
    host: thisHost,
    pid: process.pid,
    version: process.env.ANODE_VERSION ?? '0',
    slots: concurrency,
    busy: 0,
    since: Date.now(),
    root,
    serves: [workerFiles],
    refused: [],
    model,
  }
  const entry: LiveEntry = await keepLiveEntry(
    server,
    workersName,
    `${label} ${processIdentity()}`,
    () => record,
  )
  // an error is ignored, because the next renewal follows soon
  const renew = () => void entry.renew().catch(() => undefined)
  return {
    record,
    serveCommits: ({ run, signal, files: list }, serve) =>
      watchWantedCommits({
        server,
        root,
        own: workerFiles.corpus,
        files: list,
        run,
        env,
        signal,
        serve(files) {
          const { corpus, files: count, commit } = files
          record.serves.push({ corpus, files: count, commit })
          record.refused = record.refused.filter((one) => one.corpus !== corpus)
          tell({ event: 'ready', label, engine: server.address.shown, corpus, files: count, commit })
          serve(files)
          renew()
        },
        refuse(corpus, why) {
          const isKnown = record.refused.some((one) => one.corpus === corpus && one.why === why)
          if (isKnown) return
          const others = record.refused.filter((one) => one.corpus !== corpus)
          record.refused = [...others, { corpus, why }].slice(-maxRefused)
          tell({ event: 'note', about: 'queue', text: `cannot serve corpus ${corpus.slice(0, 12)}: ${why}` })
          renew()
        },
      }),
    remove: entry.remove,
  }
}
