// Integrity lock: hashes and sealed copies of the files that decide how a candidate is measured, and the
// search for changes of them.

import { chmod, copyFile, lstat, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { contentRulesHash } from '../git/git-state.ts'
import type { ConfigLine } from '../ledger/ledger-entry.ts'
import { matchesEntry } from './change-scope.ts'
import type { LockedSession } from './experiment-workspace.ts'
import { listWorkspaceFiles } from './workspace-files.ts'

/**
 * Everything that decides how a candidate is measured. `files` contains SHA-256 by path, relative
 * to the workspace.
 */
interface IntegrityLock {
  v: 1
  files: Record<string, string>
  command?: string
  build?: string
  checks?: string
  holdout?: string
  /**
   * Hash of the settings and attributes of the repository that decide the content of a
   * checkout; see git-state.ts.
   */
  git?: string
  /** Names of the environment variables that the settings pass on to measured commands. */
  env: string[]
  /**
   * Version of the interpreter, only for the record: another version means that the machine has changed, not
   * that the lock is broken.
   */
  interpreter: string
}

/** Matches files of `.auto` that agents or the engine write, so that they are not locked. */
const loose = /^\.auto\/(log[^/]*\.jsonl|[^/]*\.md)$/

interface LockChoice {
  /**
   * Files of the workspace from which the locked ones are selected, relative to it; see `listWorkspaceFiles`.
   */
  files: readonly string[]
  scope: readonly string[]
  locked: readonly string[]
  commands: readonly string[]
  /**
   * True if only scripts are locked among the files that commands name. It is set for sessions that measure
   * each candidate once, whose data files may change.
   */
  scriptsOnly?: boolean
  workspace: string
}

/**
 * Returns the paths to lock, sorted: the files of `.auto` except ledgers and Markdown, the scripts of older
 * workspaces (`autoresearch.sh` and others), and the files that `locked` lists. Files that commands name are
 * also locked if they are not in `scope` or it is empty; with `scriptsOnly`, only scripts are.
 */
export async function selectLockedFiles({
  files,
  scope,
  locked,
  commands,
  scriptsOnly,
  workspace,
}: LockChoice): Promise<string[]> {
  const words = new Set(commands.flatMap(commandWords))
  const lockedFiles: string[] = []
  for (const file of files) {
    if (loose.test(file)) continue
    const script = file.startsWith('.auto/') || /^autoresearch(\.hooks\/.*|\.(checks\.)?sh)$/.test(file)
    const isNamed = words.has(file) && (!scriptsOnly || (await isScript(join(workspace, file))))
    const meant = isNamed && (scope.length === 0 || !(await matchesEntry(scope, file)))
    if (script || meant || (await matchesEntry(locked, file))) lockedFiles.push(file)
  }
  return lockedFiles.sort()
}

/**
 * Returns true if a file is a script: by its extension, because it is executable, or because it
 * begins with `#!`.
 */
async function isScript(path: string): Promise<boolean> {
  if (/\.(sh|bash|zsh|py|[cm]?[jt]s|rb|pl|php|lua|r|jl|awk)$/i.test(path)) return true
  const there = await lstat(path).catch(() => undefined)
  if (!there?.isFile()) return false
  return (there.mode & 0o111) !== 0 || (await readFile(path)).subarray(0, 2).toString('latin1') === '#!'
}

/**
 * Largest nesting of commands inside words of commands, such as `sh -c 'bash -c "…"'`. Deeper commands are
 * not searched for files.
 */
const maxNesting = 3

/**
 * Returns the words of a command that may name a file, including words with spaces and words
 * of nested commands.
 */
export function commandWords(command: string): string[] {
  const words = [...command.split(/[\s'"`;|&<>()=]+/), ...joinedWords(command, maxNesting)]
  return [...new Set(words)].filter((word) => word !== '').map((word) => word.replace(/^\.\//, ''))
}

const shellWord = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\`;|&<>()=])+/gs
const quotedPart = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs

/** Returns the words as a shell joins them: `"my tests"/a.sh` and `my\ tests/a.sh` are one word. */
function joinedWords(command: string, nesting: number): string[] {
  return [...command.matchAll(shellWord)].flatMap(([text]) => {
    const word = joinQuoted(text, (double) => double.replace(/\\([$`"\\])/g, '$1'))
    if (nesting === 0 || !/[\s'"\\]/.test(word)) return [word]
    // A command in `$( )` keeps its backslashes even within quotes, so the text is read in both ways.
    const inside = new Set([word, joinQuoted(text, (double) => double)])
    return [word, ...[...inside].flatMap((one) => joinedWords(one, nesting - 1))]
  })
}

const joinQuoted = (text: string, read: (double: string) => string): string =>
  text.replace(
    quotedPart,
    (_, single: string | undefined, double: string | undefined, char: string) =>
      single ?? (double === undefined ? char : read(double)),
  )

/**
 * Copies the files to the directory `sealed` below `dir`. Returns the hash of the lock, by which `sealFolder`
 * finds the copies. Earlier sealed files stay, so that an earlier segment can still be verified.
 */
export async function sealFiles(
  dir: string,
  workspace: string,
  files: readonly string[],
  rest: Omit<IntegrityLock, 'v' | 'files'>,
): Promise<string> {
  const lock: IntegrityLock = { v: 1, files: {}, ...rest }
  const fresh = join(dir, 'sealed', 'new')
  await rm(fresh, { recursive: true, force: true })
  makeDirectory(fresh, 0o700)
  for (const file of files) {
    const to = join(fresh, 'files', file)
    makeDirectory(dirname(to))
    await copyFile(join(workspace, file), to)
    lock.files[file] = fingerprint(await readFile(to))
  }
  const text = `${JSON.stringify(lock, undefined, 1)}\n`
  const digest = `sha256:${fingerprint(text)}`
  await writeAtomic(join(fresh, 'lock.json'), Buffer.from(text), { mode: 0o600 })
  const place = sealFolder(dir, digest)
  if (!(await isPresent(join(place, 'lock.json')))) {
    await rm(place, { recursive: true, force: true })
    await rename(fresh, place)
  } else await rm(fresh, { recursive: true, force: true })
  await writeAtomic(join(dir, 'lock.json'), Buffer.from(text), { mode: 0o600 })
  return digest
}

/** Returns the directory of the lock with this hash: `lock.json` and `files/`. */
export const sealFolder = (dir: string, digest: string): string => join(dir, 'sealed', digest.slice(7, 23))

const isPresent = async (path: string) => (await lstat(path).catch(() => undefined)) !== undefined

/** Returns the lock with this hash, or undefined if it is missing or was changed. */
export async function readLock(dir: string, digest: string): Promise<IntegrityLock | undefined> {
  const text = await readFile(join(sealFolder(dir, digest), 'lock.json'), 'utf8').catch(() => '')
  return `sha256:${fingerprint(text)}` === digest ? (JSON.parse(text) as IntegrityLock) : undefined
}

/**
 * Returns the first file that differs from the lock, below `root` or among the sealed copies. Returns
 * `lock.json` if the lock itself is missing or changed, and undefined without a difference.
 */
export async function findBrokenFile(dir: string, digest: string, root: string): Promise<string | undefined> {
  const lock = await readLock(dir, digest)
  if (!lock) return 'lock.json'
  const sealed = join(sealFolder(dir, digest), 'files')
  for (const [file, hash] of Object.entries(lock.files)) {
    if ((await hashOf(join(sealed, file))) !== hash || (await hashOf(join(root, file))) !== hash) return file
  }
  return undefined
}

/**
 * Returns the hash of a regular file, or undefined for anything else. So a link in place of a locked file
 * counts as a change, even if its target has the same content.
 */
async function hashOf(path: string): Promise<string | undefined> {
  const there = await lstat(path).catch(() => undefined)
  return there?.isFile() ? fingerprint(await readFile(path)) : undefined
}

/**
 * Returns the sealed copies whose content has changed; an empty list if the lock itself is
 * missing or changed.
 */
export async function changedSealedFiles(dir: string, digest: string): Promise<string[]> {
  const lock = await readLock(dir, digest)
  const changed: string[] = []
  for (const [file, hash] of Object.entries(lock?.files ?? {}))
    if ((await hashOf(join(sealFolder(dir, digest), 'files', file))) !== hash) changed.push(file)
  return changed
}

/** Locks the files that decide how candidates are measured. Returns the hash of the lock. */
export async function sealSegment(
  session: LockedSession,
  config: ConfigLine,
  command = config.command,
  holdout?: string,
): Promise<string> {
  const { workspace } = session.experiment.where
  const commands = [command, config.build, config.checks, holdout].filter((one) => one !== undefined)
  const files = await selectLockedFiles({
    files: await listWorkspaceFiles(session),
    scope: config.scope,
    locked: config.locked,
    commands,
    workspace,
    scriptsOnly: config.gate.kind === 'plain',
  })
  return sealFiles(session.dir, workspace, files, {
    command,
    build: config.build,
    checks: config.checks,
    holdout: config.holdout,
    git:
      session.repo && session.experiment.where.repository
        ? await contentRulesHash(session.repo, session.experiment.where.repository)
        : undefined,
    env: config.env,
    interpreter: `node ${config.host.node}`,
  })
}

/**
 * Copies the sealed files over a checkout and makes them read-only there. Returns their names; an empty list
 * if the lock is missing or changed.
 */
export async function overlaySealedFiles(dir: string, digest: string, cwd: string): Promise<string[]> {
  const lock = await readLock(dir, digest)
  const names = Object.keys(lock?.files ?? {})
  for (const name of names) {
    const to = join(cwd, name)
    makeDirectory(dirname(to))
    await rm(to, { recursive: true, force: true })
    const from = join(sealFolder(dir, digest), 'files', name)
    await copyFile(from, to)
    await chmod(to, (await lstat(from)).mode & 0o100 ? 0o555 : 0o444)
  }
  return names
}
