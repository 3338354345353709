// Records of the worktrees of runs, one file for each, next to its directory: where it comes from,
// and its state.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeJsonRecord } from '../../../base/files/json-record.ts'
import { makeDirectory } from '../../../base/files/make-directory.ts'
import type { Mode } from '../../../policy/level.ts'
import { readThreadRecord, readThreadRecords } from '../run-record.ts'

export interface WorktreeRecord {
  /** Thread of the run, which also names the run. */
  thread: string
  /** Real path of the workspace in which the run started. */
  origin: string
  /** Top directory of the checkout from which the worktree was created. */
  top: string
  /** Path of the worktree; `cwd` is the directory in it that corresponds to `origin`. */
  path: string
  cwd: string
  /** Git reference of the worktree's branch. */
  branch: string
  /** Git reference of the target branch; null if no branch was checked out. */
  into: string | null
  /** Commit at which the worktree began. */
  base: string
  mode: Mode
  /** Creation of the worktree, in milliseconds since 1970. */
  created: number
  /** Progress; `making` until the run has begun. `maker` is the identity of the creating process. */
  state: 'making' | 'open' | 'merged' | 'dropping'
  maker?: string
  /** Commit of the branch `into` after the merge. */
  merged?: string
  /** Files with conflicts at the latest merge that stopped. */
  conflicts?: readonly string[]
}

/** Returns the short name of a branch. */
export const branchName = (ref: string) => ref.replace(/^refs\/heads\//, '')

export const worktreeFolder = (data: string) => join(data, 'worktrees')

const fileOf = (data: string, thread: string) => join(worktreeFolder(data), `${thread}.json`)

export async function writeWorktreeRecord(data: string, record: WorktreeRecord): Promise<void> {
  makeDirectory(worktreeFolder(data), 0o700)
  await writeJsonRecord(fileOf(data, record.thread), record)
}

export async function removeWorktreeRecord(data: string, thread: string): Promise<void> {
  await rm(fileOf(data, thread), { force: true })
}

/** Returns a record, or undefined if it is missing or incomplete. */
export const readWorktreeRecord = (data: string, thread: string): WorktreeRecord | undefined =>
  readThreadRecord(worktreeFolder(data), thread)

/** Returns the records, latest first. */
export const readWorktreeRecords = (data: string): WorktreeRecord[] =>
  readThreadRecords<WorktreeRecord>(worktreeFolder(data)).sort((a, b) => b.created - a.created)
