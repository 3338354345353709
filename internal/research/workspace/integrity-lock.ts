// The integrity lock: sealed copies and hashes of the files that judge, and what no longer agrees.

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

/** What decides how a candidate is measured. `files` maps paths relative to the workspace to SHA-256. */
interface Lock {
  v: 1
  files: Record<string, string>
  command?: string
  build?: string
  checks?: string
  holdout?: string
  /** Hash of what in the repository decides what a checkout of a tree holds, see git-state.ts. */
  git?: string
  /** Names of variables that measured commands see. */
  env: string[]
  /** For the record: another version is a changed host, not a broken lock. */
  interpreter: string
}

/** Files of `.auto` that agents write to, or that the engine writes itself. */
const loose = /^\.auto\/(log[^/]*\.jsonl|[^/]*\.md)$/

interface Choice {
  /** Every file of the workspace that may be meant by a glob, relative to it. */
  files: readonly string[]
  scope: readonly string[]
  locked: readonly string[]
  commands: readonly string[]
  /** Of the files that commands name, only scripts: a single sample takes data as it finds it. */
  scriptsOnly?: boolean
  workspace: string
}

/** The paths to lock. Files that commands name are among them, unless they are in scope. */
async function selectLockedFiles({
  files,
  scope,
  locked,
  commands,
  scriptsOnly,
  workspace,
}: Choice): Promise<string[]> {
  const words = new Set(commands.flatMap(commandWords))
  const chosen: string[] = []
  for (const file of files) {
    if (loose.test(file)) continue
    const script = file.startsWith('.auto/') || /^autoresearch(\.hooks\/.*|\.(checks\.)?sh)$/.test(file)
    const isNamed = words.has(file) && (!scriptsOnly || (await isScript(join(workspace, file))))
    const meant = isNamed && (scope.length === 0 || !(await matchesEntry(scope, file)))
    if (script || meant || (await matchesEntry(locked, file))) chosen.push(file)
  }
  return chosen.sort()
}

/** A file that can be executed, begins as a script does, or is called like one. */
async function isScript(path: string): Promise<boolean> {
  if (/\.(sh|bash|zsh|py|[cm]?[jt]s|rb|pl|php|lua|r|jl|awk)$/i.test(path)) return true
  const there = await lstat(path).catch(() => undefined)
  if (!there?.isFile()) return false
  return (there.mode & 0o111) !== 0 || (await readFile(path)).subarray(0, 2).toString('latin1') === '#!'
}

/** Whatever in a command could name a file. */
export function commandWords(command: string): string[] {
  return command
    .split(/[\s'"`;|&<>()=]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^\.\//, ''))
}

/**
 * Copies the files below `<dir>/sealed` and returns the lock's hash, under which `sealFolder` finds
 * them. What was sealed before stays: an earlier segment can still be verified.
 */
async function sealFiles(
  dir: string,
  workspace: string,
  files: readonly string[],
  rest: Omit<Lock, 'v' | 'files'>,
): Promise<string> {
  const lock: Lock = { v: 1, files: {}, ...rest }
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
  if (!(await exists(join(place, 'lock.json')))) {
    await rm(place, { recursive: true, force: true })
    await rename(fresh, place)
  } else await rm(fresh, { recursive: true, force: true })
  await writeAtomic(join(dir, 'lock.json'), Buffer.from(text), { mode: 0o600 })
  return digest
}

/** Folder of the lock with this hash: `lock.json` and `files/`. */
export const sealFolder = (dir: string, digest: string): string => join(dir, 'sealed', digest.slice(7, 23))

const exists = async (path: string) => (await lstat(path).catch(() => undefined)) !== undefined

/** The lock with this hash; undefined when it is gone or was changed. */
export async function readLock(dir: string, digest: string): Promise<Lock | undefined> {
  const text = await readFile(join(sealFolder(dir, digest), 'lock.json'), 'utf8').catch(() => '')
  return `sha256:${fingerprint(text)}` === digest ? (JSON.parse(text) as Lock) : undefined
}

/**
 * The first file below `root`, or among the sealed copies, that is not what was locked; undefined when all
 * are.
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

/** A link in place of a locked file is another file, whatever it leads to. */
async function hashOf(path: string): Promise<string | undefined> {
  const there = await lstat(path).catch(() => undefined)
  return there?.isFile() ? fingerprint(await readFile(path)) : undefined
}

/** The sealed copies that are no longer what was sealed. */
export async function changedSealedFiles(dir: string, digest: string): Promise<string[]> {
  const lock = await readLock(dir, digest)
  const changed: string[] = []
  for (const [file, hash] of Object.entries(lock?.files ?? {}))
    if ((await hashOf(join(sealFolder(dir, digest), 'files', file))) !== hash) changed.push(file)
  return changed
}

/** Locks what judges; the hash of the lock. */
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

/** Lays the sealed files over a checkout, read-only; returns their names. */
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
