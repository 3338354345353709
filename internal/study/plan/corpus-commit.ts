// The commit of a corpus: the commit that is checked out, and the files that differ from it.
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, FailureError } from '../../base/errors.ts'
import { runHardenedGit } from '../../process/git/git.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { CorpusRevision } from '../log/worker-start.ts'
import { listCorpus } from './corpus-files.ts'

/** Largest number of changed files that are named. Further changed files are only counted. */
const maxNamed = 5

/** Forms of a commit's id: SHA-1 or SHA-256. */
export const commitForm = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/**
 * Returns the id of the commit that is checked out; undefined outside of a repository, before a commit, and
 * if git is missing or fails. Rejects like `runHardenedGit`, for example if git would block on a file.
 */
export async function readCommit(root: string, run: RunCommand): Promise<string | undefined> {
  const id = (await askGit(root, run, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']))?.trim()
  return id !== undefined && commitForm.test(id) ? id : undefined
}

/**
 * Returns the revision of the files below `root`; undefined outside of a repository, before its first
 * commit, and if git is missing or fails. Contents are compared as they are on disk: git itself may run
 * programs of the repository when it compares them. So a file whose line endings git converts counts as
 * changed. Rejects like `listCorpus`.
 */
export async function readRevision(
  root: string,
  run: RunCommand,
  signal?: AbortSignal,
): Promise<CorpusRevision | undefined> {
  const commit = await readCommit(root, run)
  if (commit === undefined) return undefined
  const prefix = ((await askGit(root, run, ['rev-parse', '--show-prefix'])) ?? '').replace(/\n$/, '')
  const tree = readTree((await askGit(root, run, ['ls-tree', '-r', '-z', commit])) ?? '')
  const { names } = await listCorpus(root, run, signal)
  const listed = new Set(names)
  const changed = new Set([...tree.keys()].filter((name) => !listed.has(name)))
  for (const name of names) if (isChanged(root, name, tree.get(name))) changed.add(name)
  const sorted = [...changed].sort()
  return { commit, prefix, changed: { count: sorted.length, first: sorted.slice(0, maxNamed) } }
}

/** Returns the ids of the files of a tree by their paths, without links and submodules. */
function readTree(text: string): Map<string, string> {
  const entries = text.split('\0').flatMap((line) => {
    const match = /^100\d{3} blob ([0-9a-f]+)\t(.+)$/s.exec(line)
    return match ? [[match[2], match[1]] as [string, string]] : []
  })
  return new Map(entries)
}

function isChanged(root: string, name: string, id: string | undefined): boolean {
  try {
    const path = join(root, name)
    if (!lstatSync(path).isFile()) return id !== undefined
    if (id === undefined) return true
    const bytes = readFileSync(path)
    const hash = createHash(id.length === 64 ? 'sha256' : 'sha1')
    return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') !== id
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return true
  }
}

async function askGit(root: string, run: RunCommand, args: string[]): Promise<string | undefined> {
  try {
    const { exit, stdout, ended: endReason } = await runHardenedGit(run, root, args, { keepBytes: 64 << 20 })
    return exit === 0 && endReason === undefined && !stdout.cut ? stdout.text : undefined
  } catch (error) {
    // git is not installed
    if (error instanceof FailureError && error.failure.code === 'not_found') return undefined
    throw error
  }
}
