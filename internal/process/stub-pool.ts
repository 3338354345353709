// Empty directories kept for the next command: to delete one, some file systems wait for the disk.
import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, renameSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

/** More directories are not kept. */
const maxKept = 1000

/** A lock of this age was left by a dead process. */
const maxLockMs = 1000

const cell = new Int32Array(new SharedArrayBuffer(4))

/**
 * Directories below one data directory. They are moved to a path and back, which needs the same file system.
 * A move replaces an empty directory at its target, so processes that make stubs do it one after the other.
 */
export class StubPool {
  readonly #directory: string
  #names: string[] | undefined

  constructor(dataDir: string) {
    this.#directory = join(dataDir, 'stubs')
  }

  /** Calls `act` while no other process takes directories. */
  exclusively<T>(act: () => T): T {
    const lock = join(this.#directory, 'lock')
    const isHeld = this.#prepare() && takeLock(lock)
    // without the lock nothing is moved
    if (!isHeld) this.#names = []
    try {
      return act()
    } finally {
      if (isHeld) unlink(lock)
    }
  }

  /** The path of a directory that can be moved, if there is one. */
  next(): string | undefined {
    const name = this.#names?.pop()
    return name === undefined ? undefined : join(this.#directory, name)
  }

  /** True if the directory `from` is at `path` now, where nothing was. */
  static place(from: string, path: string): boolean {
    try {
      if (lstatSync(path, { throwIfNoEntry: false })) return false
      renameSync(from, path)
      return true
    } catch {
      // another process has taken it, or another file system
      return false
    }
  }

  /** True if the empty directory at `path` is kept now; it stays if it has entries. */
  keep(path: string): boolean {
    try {
      const names = this.#list()
      const { ino, mtimeMs } = lstatSync(path)
      if (names.length >= maxKept || readdirSync(path).length > 0) return false
      const to = join(this.#directory, String(ino))
      renameSync(path, to)
      // another program may have written in it a moment ago
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

function takeLock(path: string): boolean {
  for (let tries = 0; tries < 100; tries++) {
    try {
      closeSync(openSync(path, 'wx', 0o600))
      return true
    } catch {
      const made = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs
      if (made !== undefined && Date.now() - made > maxLockMs) unlink(path)
      else Atomics.wait(cell, 0, 0, 1)
    }
  }
  return false
}

function unlink(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // another process took it for the lock of a dead one
  }
}
