// Identities of the installed packages of a workspace, recorded outside of it. While the files of a package
// keep their times and sizes, its content is not read again.
import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs'
import { join, posix } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { writeAtomic } from '../base/files/atomic-write.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { createSha256, fingerprint } from '../base/fingerprint.ts'
import type { PackageGraph } from './packages.ts'
import { identifyDirectory } from './programs.ts'
import { identifyFile, isSettled } from './tree-state.ts'

interface StoredRecord {
  /** By path of a package: an identity of its files by times and sizes, and an identity of its content. */
  packages: Record<string, readonly [state: string, content: string]>
  /** The packages that checks recorded for a lockfile, by the identity of the lockfile. */
  installed: Record<string, PackageGraph>
}

/** Largest number of lockfiles whose packages are recorded; the latest ones stay. */
const maxLockfiles = 20

export interface PackageRecord {
  identify(path: string): Promise<string>
  /** Returns the packages that belong to a lockfile, or undefined if nothing is recorded for it. */
  installed(lockfile: string): PackageGraph | undefined
  /** Sets the packages that belong to a lockfile. */
  install(lockfile: string, graph: PackageGraph): void
  /** Writes the record if it has changed. */
  save(): Promise<void>
}

/** Opens the record of a workspace in the data directory. A damaged record counts as empty. */
export function openPackageRecord(data: string, workspace: string): PackageRecord {
  const dir = join(data, 'proof', 'packages')
  const file = join(dir, `${fingerprint(workspace).slice(0, 16)}.json`)
  const stored = readRecord(file)
  let isChanged = false
  return {
    async identify(path) {
      const { state, latest } = await identifyState(path)
      const [storedState, content] = stored.packages[path] ?? []
      if (storedState === state && content !== undefined) return content
      const fresh = lstatSync(path).isDirectory()
        ? await identifyDirectory(path)
        : fingerprint(await identifyFile(path))
      if (isSettled(latest)) {
        stored.packages[path] = [state, fresh]
        isChanged = true
      }
      return fresh
    },
    installed: (lockfile) => stored.installed[lockfile],
    install(lockfile, graph) {
      const others = Object.entries(stored.installed).filter(([name]) => name !== lockfile)
      stored.installed = Object.fromEntries([...others, [lockfile, graph] as const].slice(-maxLockfiles))
      isChanged = true
    },
    async save() {
      if (!isChanged) return
      makeDirectory(dir, 0o700)
      await writeAtomic(file, Buffer.from(JSON.stringify(stored)), { mode: 0o600 })
      isChanged = false
    },
  }
}

function readRecord(file: string): StoredRecord {
  try {
    const { packages, installed } = JSON.parse(readFileSync(file, 'utf8'))
    return { packages: { ...packages }, installed: { ...installed } }
  } catch {
    return { packages: {}, installed: {} }
  }
}

/**
 * Number of directories that are read without a pause. Then other work of the process continues for a moment.
 */
const directoriesAtOnce = 64

/**
 * Returns an identity of all files of a package by their sizes, times, inode numbers and modes, without
 * packages nested in it and without `__pycache__`. A program cannot set the time of the last change
 * (`ctime`), so a changed file gets another identity. `latest` is the time of the last change of any file, in
 * milliseconds since 1970.
 */
async function identifyState(path: string): Promise<{ state: string; latest: number }> {
  const hash = createSha256()
  let latest = 0
  const add = (name: string, { size, mtimeMs, ctimeMs, ino, mode }: Stats) => {
    hash.update(`${name}\0${size} ${mtimeMs} ${ctimeMs} ${ino} ${mode}\0`)
    latest = Math.max(latest, ctimeMs)
  }
  const top = lstatSync(path)
  if (!top.isDirectory()) add('', top)
  const pending = top.isDirectory() ? [''] : []
  let count = 0
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (++count % directoriesAtOnce === 0) await setImmediate()
    const dir = join(path, at)
    const entries = readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      const below = posix.join(at, entry.name)
      if (!entry.isDirectory()) add(below, lstatSync(join(path, below)))
      else if (entry.name !== 'node_modules' && entry.name !== '__pycache__') pending.push(below)
    }
  }
  return { state: hash.digest('hex'), latest }
}
