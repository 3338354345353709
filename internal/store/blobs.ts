// Large texts stored as files that are named by a hash of their content. A file is written completely or
// not at all.

import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { codeOf, FailureError, messageOf } from '../base/errors.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { fingerprint } from '../base/fingerprint.ts'
import { createUlid } from '../base/ids.ts'
import type { BlobStore } from './store.ts'

export interface BlobFiles extends BlobStore {
  /**
   * Removes incomplete files that are older than an hour or belong to a process that died. A process that
   * writes calls it once at its start.
   */
  sweep(): void
  /**
   * Removes a blob unless it was put during the last hour, because the writer may not have recorded it yet.
   * Returns true if the blob no longer exists.
   */
  drop(hash: string): boolean
}

/** Age in milliseconds below which a blob or an incomplete file may still belong to a writer. */
export const minBlobAge = 3_600_000

/**
 * Creates the store of blobs in `dir`. The first `put` creates the directory. `now` returns ms since 1970.
 */
export function createBlobs(dir: string, now: () => number): BlobFiles {
  const temporary = join(dir, 'tmp')
  return {
    sweep: () => {
      for (const name of listNames(temporary)) {
        const file = join(temporary, name)
        const age = now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now())
        // The process id at the beginning of the name may by now belong to another program, but no write
        // takes an hour.
        if (age > minBlobAge || !isAlive(Number.parseInt(name, 10))) rmSync(file, { force: true })
      }
    },
    put: (bytes) => {
      const hash = fingerprint(bytes)
      const file = join(dir, hash)
      try {
        if (sizeOf(file) === bytes.byteLength) {
          const seconds = now() / 1000
          utimesSync(file, seconds, seconds)
          return hash
        }
        makeDirectory(temporary, 0o700)
        writeBlob(join(temporary, `${process.pid}-${createUlid()}`), file, bytes)
        syncDirectory(dir)
        return hash
      } catch (error) {
        throw ioFailure(`a large text could not be kept in ${dir}`, dir, error)
      }
    },
    get: (hash) => {
      if (!/^[0-9a-f]{64}$/.test(hash)) return undefined
      const bytes = readBlob(join(dir, hash))
      if (bytes && fingerprint(bytes) !== hash) {
        throw ioFailure(`a kept text has been changed or damaged: ${join(dir, hash)}`, join(dir, hash))
      }
      return bytes
    },
    path: (hash) => join(dir, hash),
    drop: (hash) => {
      const file = join(dir, hash)
      const put = statSync(file, { throwIfNoEntry: false })?.mtimeMs
      if (put !== undefined && now() - put <= minBlobAge) return false
      rmSync(file, { force: true })
      return true
    },
  }
}

function writeBlob(temporary: string, file: string, bytes: Uint8Array) {
  const handle = openSync(temporary, 'wx', 0o600)
  try {
    for (let at = 0; at < bytes.byteLength; ) at += writeSync(handle, bytes, at)
    fsyncSync(handle)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(handle)
  }
}

/** Writes a directory to disk, so that a renamed file in it survives a crash. */
function syncDirectory(dir: string) {
  const handle = openSync(dir, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Returns the names in a directory; empty if it cannot be read. The next write then reports the problem. */
function listNames(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function readBlob(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw ioFailure(`a kept text cannot be read: ${file}`, file, error)
  }
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size

function ioFailure(message: string, path: string, cause?: unknown): FailureError {
  const why = cause === undefined ? '' : ` (${codeOf(cause) ?? messageOf(cause)})`
  return new FailureError({ code: 'io', message: `${message}${why}`, detail: { path } }, cause)
}
