// Commits whose files running studies request from workers. A worker checks out such a commit and serves its
// files, or reports the reason why it cannot.
import { setTimeout as sleep } from 'node:timers/promises'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { messageOf } from '../../base/errors.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { surveyCorpus } from '../../study/plan/corpus.ts'
import { readLiveEntries } from '../../study/redis/live-entries.ts'
import type { RedisServer } from '../../study/redis/server.ts'
import { checkOutCommit, isWantedCommit, type WantedCommit } from './commit-checkout.ts'
import { compareFiles } from './compared-files.ts'

/**
 * Name of the collection of entries by which studies request files from workers. The id of an entry is the
 * digest of the files; its value names the commit that has them, if there is one.
 */
export const wantedName = 'wanted'

/**
 * Milliseconds between two checks for wanted commits. A commit that could not be served is tried
 * again after `retryMs`.
 */
const pollMs = 1_000
const retryMs = 60_000

/** Files that a worker serves in addition to those below its root. */
export interface CheckedOutFiles {
  corpus: string
  root: string
  files: number
  commit: string
}

interface WatchOptions {
  server: RedisServer
  /** Directory of the worker's files, inside its repository. */
  root: string
  /** Digest of the files below the root, which need no checkout; `files` is the list of these files. */
  own: string
  files: readonly string[]
  /** Starts programs; undefined if the root is in no repository. Then commits are not checked out. */
  run: RunCommand | undefined
  env: EnvironmentVariables
  signal: AbortSignal
  /** Called once for each set of files that the worker has checked out. */
  serve(files: CheckedOutFiles): void
  /**
   * Called at each check, every second, while the worker cannot serve wanted files, if the reason is known.
   */
  refuse(corpus: string, why: string): void
}

/**
 * Serves the commits that studies want, and calls `refuse` for files that it cannot serve, until `signal`
 * aborts. Never rejects: other commands report a lost server.
 */
export async function watchWantedCommits(options: WatchOptions): Promise<void> {
  const { server, own: ownCorpus, signal } = options
  const availableCorpora = new Set([ownCorpus])
  const triedAt = new Map<string, number>()
  const reasons = new Map<string, string>()
  const refuse = async (corpus: string) => {
    const differ = await compareFiles(server, corpus, options.files).catch(() => undefined)
    const parts = [reasons.get(corpus), differ].filter((part) => part !== undefined)
    if (parts.length > 0) options.refuse(corpus, parts.join('; '))
  }
  while (!signal.aborted) {
    const liveEntries = await readLiveEntries(server, wantedName).catch(() => new Map<string, unknown>())
    for (const [corpus, value] of liveEntries) {
      if (availableCorpora.has(corpus) || !/^[0-9a-f]{64}$/.test(corpus)) continue
      const isDue = Date.now() - (triedAt.get(corpus) ?? Number.NEGATIVE_INFINITY) >= retryMs
      if (isWantedCommit(value) && options.run && isDue) {
        triedAt.set(corpus, Date.now())
        const why = await serveCommit(corpus, value, { ...options, run: options.run })
        if (why === undefined) availableCorpora.add(corpus)
        else reasons.set(corpus, why)
      }
      if (!availableCorpora.has(corpus)) await refuse(corpus)
    }
    // an abort only ends the pause
    await sleep(pollMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Serves the files of a commit. Resolves to the reason if that is impossible, otherwise to undefined. */
async function serveCommit(
  corpus: string,
  wantedCommit: WantedCommit,
  options: WatchOptions & { run: RunCommand },
): Promise<string | undefined> {
  const { root: repositoryRoot, run, signal, serve } = options
  try {
    const root = await checkOutCommit(repositoryRoot, wantedCommit, options)
    const { id, files } = await surveyCorpus(root, [], run, { signal })
    const { commit } = wantedCommit
    if (id !== corpus)
      return `the files of commit ${commit.slice(0, 12)} differ here: line endings or filters of git`
    serve({ corpus, root, files, commit })
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}
