// Records that a process leaves for others, as small JSON files of its user alone.
import { readFileSync } from 'node:fs'
import { codeOf } from '../errors.ts'
import { writeAtomic } from './atomic-write.ts'

/** Undefined where there is none, or half of one. Read at once: to wait for a thread takes longer. */
export function readJsonRecord<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Replaces the whole file. Its folder has to be there. */
export const writeJsonRecord = (path: string, record: object): Promise<void> =>
  writeAtomic(path, Buffer.from(JSON.stringify(record)), { mode: 0o600 })
