// Records of a process for other processes, as small JSON files that only the user can read.
import { readFileSync } from 'node:fs'
import { codeOf } from '../errors.ts'
import { writeAtomic } from './atomic-write.ts'

/**
 * Returns a record, or undefined if it is missing or not complete JSON. The read is synchronous, because a
 * read in the thread pool takes longer.
 */
export function readJsonRecord<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Writes a record, which replaces the whole file. Its directory must exist. */
export const writeJsonRecord = (path: string, record: object): Promise<void> =>
  writeAtomic(path, Buffer.from(JSON.stringify(record)), { mode: 0o600 })
