// Search for files with secret names in git's history, where a sandboxed command can read their content.
import { join, relative } from 'node:path'
import { countNoun } from '../base/text/count-noun.ts'
import { guardedName, isOrdinary, isSensitive } from '../policy/paths/sensitive-names.ts'
import { runHardenedGit } from '../process/git/git.ts'
import type { GitLayout } from '../process/git/git-layout.ts'
import type { RunCommand } from '../process/process-command.ts'
import { type IndexMemory, readIndexOf } from './repository-index.ts'

/**
 * Largest number of repositories whose past commits are searched; others are skipped. `maxMs` limits the
 * search in each, in milliseconds.
 */
const maxHistories = 8
const maxMs = 300
/** Largest number of names that are listed. Further ones are only counted. */
const maxListed = 8

/**
 * Returns one line about the files with secret names that git tracks in `checkouts` or that past commits
 * added. Undefined without such files. `run` starts git for the search in past commits, which ends at the
 * time limit; without `run`, past commits are not searched. Paths are relative to `folder`.
 */
export async function describeTrackedSecrets(
  checkouts: readonly GitLayout[],
  folder: string,
  { indexes, run }: { indexes: IndexMemory; run: RunCommand | undefined },
): Promise<string | undefined> {
  const tracked = new Set(checkouts.flatMap((layout) => trackedSecrets(layout, indexes)))
  const histories = new Map(checkouts.map((layout) => [layout.commonDir, layout.top]))
  const tops = [...histories.values()].slice(0, maxHistories)
  const past = new Set(run ? (await Promise.all(tops.map((top) => pastSecrets(top, run)))).flat() : [])
  const once = [...past].filter((path) => !tracked.has(path))
  if (tracked.size + once.length === 0) return undefined
  const list = (paths: Iterable<string>) => listNames([...paths].map((path) => relative(folder, path)))
  const parts = [
    ...(tracked.size > 0 ? [`tracks ${list(tracked)}`] : []),
    ...(once.length > 0 ? [`once tracked ${list(once)}`] : []),
  ]
  return `git ${parts.join(' and ')}: commands in the sandbox can read these secrets in its history`
}

function trackedSecrets(layout: GitLayout, indexes: IndexMemory): string[] {
  const { entries } = readIndexOf(layout, indexes) ?? {}
  return [...(entries ?? [])].flatMap(([path, { mode, name }]) =>
    mode >>> 12 === 0o10 && isSecretName(name) ? [path] : [],
  )
}

/**
 * Returns the files with secret names that any commit of a branch, a tag or a stash has added, as far as git
 * lists them within the time limit.
 */
async function pastSecrets(top: string, run: RunCommand): Promise<string[]> {
  const secretNames = new Set<string>()
  const decoder = new TextDecoder()
  let rest = ''
  const onOutput = (chunk: Uint8Array, stream: 'stdout' | 'stderr') => {
    if (stream !== 'stdout') return
    const names = (rest + decoder.decode(chunk, { stream: true })).split('\0')
    rest = names.pop() ?? ''
    for (const name of names) if (isSecretName(name)) secretNames.add(name)
  }
  const args = ['log', '--all', '--no-renames', '--diff-filter=A', '--name-only', '--format=', '-z']
  const limits = { timeoutMs: maxMs, keepBytes: 1024, childless: true }
  // The names that git has printed before the time limit count. In an unreadable repository, git
  // prints no names.
  await runHardenedGit((one) => run({ ...one, onOutput }), top, args, limits).catch(() => undefined)
  return [...secretNames].map((name) => join(top, name))
}

const isSecretName = (name: string) =>
  !isOrdinary(name) && isSensitive(name) && guardedName(name) === undefined

function listNames(names: readonly string[]): string {
  const more = names.length - maxListed
  const shownNames = (more > 0 ? names.slice(0, maxListed) : names).map(quoteName)
  return [...shownNames, ...(more > 0 ? [countNoun(more, 'more file')] : [])].join(', ')
}

const quoteName = (name: string) =>
  /^[\p{L}\p{N} ._/@+=~()[\]{}$#&!%^-]+$/u.test(name) ? name : JSON.stringify(name)
