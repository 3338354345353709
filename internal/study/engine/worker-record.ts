// The record of a worker process: what it serves, where it runs and since when. Records come from files and
// servers, so they are checked.
import * as z from 'zod/mini'
import { once } from '../../base/once.ts'

/** Files that a worker serves. */
export interface WorkerFiles {
  /** Digest of the files. */
  corpus: string
  /** Number of the files, if it is known. */
  files?: number
  /**
   * Commit that is checked out in the repository of the files; undefined outside of a repository and if git
   * cannot name it.
   */
  commit?: string
}

export interface WorkerRecord {
  label: string
  host: string
  pid: number
  /** Version of Anode. */
  version: string
  /** Number of tasks that the worker can do at once. `busy` is the number of tasks that it does now. */
  slots: number
  busy: number
  /** Start of the worker, in milliseconds since 1970. */
  since: number
  /** Directory of the files on the worker's machine. */
  root: string
  serves: WorkerFiles[]
  /** The latest files that studies want and that the worker cannot provide, each with the reason. */
  refused: { corpus: string; why: string }[]
  /** Model of the worker; undefined if each study chooses it. */
  model?: string
  /** Study of a worker that works for one study only. */
  study?: string
}

const text = z.string().check(z.maxLength(4096))
const count = z.int().check(z.minimum(0))

const schema = once(() =>
  z.object({
    label: text,
    host: text,
    pid: count,
    version: text,
    slots: count,
    busy: count,
    since: count,
    root: text,
    serves: z
      .array(z.object({ corpus: text, files: z.optional(count), commit: z.optional(text) }))
      .check(z.maxLength(1000)),
    refused: z.array(z.object({ corpus: text, why: text })).check(z.maxLength(1000)),
    model: z.optional(text),
    study: z.optional(text),
  }),
)

/**
 * Returns the record in `line`, which is JSON; undefined for any other text, and for a record with missing,
 * wrong or too long fields.
 */
export function parseWorkerRecord(line: string): WorkerRecord | undefined {
  try {
    const read = schema().safeParse(JSON.parse(line))
    return read.success ? (read.data as WorkerRecord) : undefined
  } catch {
    return undefined
  }
}
