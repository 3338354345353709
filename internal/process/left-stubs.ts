// Empty directories that reserve names in a workspace while a sandboxed command runs, and their removal.
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { listNames } from '../base/files/path-lookup.ts'
import { inDirectory } from '../base/files/pinned-directory.ts'
import { removeFile, StubPool } from './stub-pool.ts'

/**
 * The identity of a stub: its device, inode and time of birth, unlike any other directory at the same path.
 */
type StubMark = string

/**
 * Paths of stubs (reserved empty directories) with their marks. An empty mark means a stub that was about
 * to be created.
 */
type StubRecord = Record<string, StubMark>

const prefix = 'stubs.'

/**
 * Creates empty directories (stubs) at missing paths and records them in the directory of this Anode process.
 * If a stub for another command already exists at a path, both commands share it. Returns the paths that are
 * stubs now. `number` identifies the command.
 */
export function makeStubs(directory: string, number: number, paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  const runs = dirname(directory)
  return poolOf(runs).exclusively(() => {
    const others = recordedStubs(runs)
    const ready = new Map(paths.map((path) => [path, poolOf(runs).next()] as const))
    const record: StubRecord = {}
    for (const [path, from] of ready) record[path] = (from !== undefined && markOf(from)) || ''
    writeRecord(directory, number, record)
    for (const [dir, names] of byDirectory(paths))
      inDirectory(dir, ({ at }) => {
        for (const name of names) {
          const path = join(dir, name)
          const from = ready.get(path)
          // An empty directory from the pool is moved here. Moving does not change its mark, so the recorded
          // mark stays valid.
          if (from !== undefined && record[path] !== '' && StubPool.place(from, at(name))) continue
          if (makeEmpty(at(name))) record[path] = markOf(at(name)) ?? ''
          else if (others.get(path)?.has(markOf(at(name)) ?? '-')) record[path] = markOf(at(name)) ?? ''
          else delete record[path]
        }
      })
    for (const path of paths) if (record[path] === '') delete record[path]
    writeRecord(directory, number, record)
    return Object.keys(record)
  })
}

/** Removes the stubs of the command with this number that are still empty and that no other command uses. */
export function removeStubs(directory: string, number: number): void {
  removeRecorded(join(directory, `${prefix}${number}`))
}

/**
 * Removes the empty directories (stubs) that a dead Anode process has left in workspaces. `directory` is the
 * directory with the records of that process. Never throws.
 */
export function removeLeftStubs(directory: string): void {
  try {
    for (const name of readdirSync(directory))
      if (name.startsWith(prefix)) removeRecorded(join(directory, name))
  } catch {
    // the directory and its record are already removed
  }
}

/** Returns the stubs of all Anode processes by path, each with its known marks. */
export function recordedStubs(runs: string): Map<string, Set<StubMark>> {
  const all = new Map<string, Set<StubMark>>()
  for (const run of listNames(runs))
    for (const name of listNames(join(runs, run)))
      if (name.startsWith(prefix))
        for (const [path, mark] of Object.entries(readRecord(join(runs, run, name))?.stubs ?? {}))
          all.set(path, (all.get(path) ?? new Set()).add(mark))
  return all
}

/** Returns true if the directory at a path is one of `stubs`. */
export const isStub = (path: string, stubs: ReadonlyMap<string, ReadonlySet<StubMark>>): boolean =>
  stubs.get(path)?.has(markOf(path) ?? '-') === true

function removeRecorded(file: string): void {
  const record = readRecord(file)
  if (!record) {
    removeFile(file)
    return
  }
  const runs = dirname(dirname(file))
  const pool = poolOf(runs)
  // Every command that shares a stub has recorded it, so the removal below leaves that stub alone.
  pool.exclusively(() => {
    removeFile(file)
    const usedPaths = recordedStubs(runs)
    const paths = Object.keys(record.stubs).filter((path) => !usedPaths.has(path))
    for (const [dir, names] of byDirectory(paths))
      inDirectory(dir, ({ at }) => {
        for (const name of names) {
          const mark = record.stubs[join(dir, name)]
          if (mark === '' ? isBornAfter(at(name), record.at) : markOf(at(name)) === mark)
            removeEmpty(at(name), pool)
        }
      })
  })
}

function writeRecord(directory: string, number: number, stubs: StubRecord): void {
  writeFileSync(join(directory, `${prefix}${number}`), JSON.stringify({ at: Date.now(), stubs }))
}

function readRecord(file: string): { at: number; stubs: StubRecord } | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof value === 'object' && value !== null && 'stubs' in value ? (value as never) : undefined
  } catch {
    // Another process has removed the record, or the record is incomplete because its owner died
    // while writing it.
    return undefined
  }
}

function byDirectory(paths: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const path of paths) groups.set(dirname(path), [...(groups.get(dirname(path)) ?? []), basename(path)])
  return groups
}

function markOf(path: string): StubMark | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isDirectory() ? `${stat.dev}:${stat.ino}:${stat.birthtimeMs}` : undefined
}

/**
 * Returns true for a directory that was created from 20 milliseconds before to 1 second after `at`, when its
 * record was written. An Anode process created it, and was killed before it could record its mark.
 */
function isBornAfter(path: string, at: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && stat.birthtimeMs >= at - 20 && stat.birthtimeMs < at + 1000
}

const pools = new Map<string, StubPool>()

/**
 * Returns the pool of empty directories that is next to `runs`, the directory with those of
 * all Anode processes.
 */
function poolOf(runs: string): StubPool {
  const pool = pools.get(runs) ?? new StubPool(dirname(runs))
  pools.set(runs, pool)
  return pool
}

function makeEmpty(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch {
    // The path exists or cannot be created. In both cases the sandboxed command cannot create it either.
    return false
  }
}

function removeEmpty(path: string, pool: StubPool): void {
  try {
    if (!pool.keep(path)) rmdirSync(path)
  } catch {
    // it contains files now
  }
}
