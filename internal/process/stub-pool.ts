// A pool of empty directories that later commands use again, because deleting a directory can wait for the
// disk on some file systems.
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../base/errors.ts'
import { isAlive, processIdentity } from '../base/process-identity.ts'

/** Largest number of directories in the pool. Further ones are deleted after use. */
const maxKept = 1000

/**
 * Milliseconds that a start waits while another live process has the lock of the pool. A busy machine may
 * delay that process.
 */
const maxWaitMs = 5000

const cell = new Int32Array(new SharedArrayBuffer(4))

/**
 * The pool of one data directory. A directory of the pool is moved to a path to reserve it (a stub), and
 * moved back later, which requires one file system. Because a move replaces an empty directory at its target,
 * only one process at a time may create stubs.
 */
export class StubPool {
  readonly #directory: string
  #names: string[] | undefined

  constructor(dataDir: string) {
    this.#directory = join(dataDir, 'stubs')
  }

  /**
   * Returns the result of `act`, called while no other process takes directories. Without the lock of the
   * pool, `act` runs too, but gets no directories from the pool.
   */
  exclusively<T>(act: () => T): T {
    const lock = join(this.#directory, 'lock')
    const isHeld = this.#prepare() && takeLock(lock)
    // Without the lock, the pool counts as empty, so that no directory is moved.
    if (!isHeld) this.#names = []
    try {
      return act()
    } finally {
      if (isHeld) removeFile(lock)
    }
  }

  /** Returns the path of a directory of the pool that can be moved; undefined without one. */
  next(): string | undefined {
    const name = this.#names?.pop()
    return name === undefined ? undefined : join(this.#directory, name)
  }

  /** Moves the directory `from` to the missing path `path`. Returns false if that failed or `path` exists. */
  static place(from: string, path: string): boolean {
    try {
      if (lstatSync(path, { throwIfNoEntry: false })) return false
      renameSync(from, path)
      return true
    } catch {
      // Another process has taken the directory, or the path is on another file system.
      return false
    }
  }

  /**
   * Moves the empty directory at `path` to the pool and returns true. Returns false, and leaves the directory
   * at `path`, if it has entries, the pool is full or the move fails. If another program writes into the
   * directory at this moment, the directory is moved back, and the result is true too.
   */
  keep(path: string): boolean {
    try {
      const names = this.#list()
      const { ino, mtimeMs } = lstatSync(path)
      if (names.length >= maxKept || readdirSync(path).length > 0) return false
      const to = join(this.#directory, String(ino))
      renameSync(path, to)
      // Another program may have written into the directory just before the move. The directory is
      // then moved back.
      if (lstatSync(to).mtimeMs !== mtimeMs && readdirSync(to).length > 0) renameSync(to, path)
      else names.push(String(ino))
      return true
    } catch {
      return false
    }
  }

  #prepare(): boolean {
    try {
      this.#names = this.#list()
      return true
    } catch {
      return false
    }
  }

  #list(): string[] {
    if (this.#names && this.#names.length > 0) return this.#names
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    this.#names = readdirSync(this.#directory).filter((name) => /^\d+$/.test(name))
    return this.#names
  }
}

/**
 * Creates the lock with the identity of this process. Returns false if a live process keeps it for 5 seconds,
 * or if the file cannot be created.
 */
function takeLock(path: string): boolean {
  const end = Date.now() + maxWaitMs
  do {
    try {
      writeFileSync(path, processIdentity(), { flag: 'wx', mode: 0o600 })
      return true
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') return false
      if (isLeft(path)) removeFile(path)
      else Atomics.wait(cell, 0, 0, 1)
    }
  } while (Date.now() < end)
  return false
}

/**
 * Returns true if a lock was left by a dead process, also if that process died before it wrote its identity.
 */
function isLeft(path: string): boolean {
  try {
    const ageMs = Date.now() - lstatSync(path).mtimeMs
    const owner = readFileSync(path, 'latin1')
    return owner === '' ? ageMs > maxWaitMs / 2 : !isAlive(owner, ageMs)
  } catch {
    // removed meanwhile
    return false
  }
}

/** Removes a file, which another process may have removed already. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // removed meanwhile, such as the lock of a dead process by another one
  }
}
