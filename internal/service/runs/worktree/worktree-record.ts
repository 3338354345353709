// The worktrees of runs, one file each beside its folder: where it came from, and how far it has come.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeJsonRecord } from '../../../base/files/json-record.ts'
import { makeDirectory } from '../../../base/files/make-directory.ts'
import type { Mode } from '../../../policy/level.ts'
import { readThreadRecord, readThreadRecords } from '../run-record.ts'

export interface WorktreeRecord {
  /** Of the run; the same name that the run has everywhere. */
  thread: string
  /** Real path of the workspace that the run was started in. */
  origin: string
  /** Top of the checkout that holds it. */
  top: string
  /** The worktree, and the folder in it that stands for `origin`. */
  path: string
  cwd: string
  /** Reference of the worktree's own branch. */
  branch: string
  /** Reference that it is to be merged into; null where no branch was checked out. */
  into: string | null
  /** Commit that it began with. */
  base: string
  mode: Mode
  /** Milliseconds since 1970. */
  created: number
  /** `making` until the run has begun; the process that makes it, by its identity. */
  state: 'making' | 'open' | 'merged' | 'dropping'
  maker?: string
  /** Commit that the branch `into` had right after the merge. */
  merged?: string
}

/** The name of a branch as people say it. */
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

/** Undefined for one that is not there, or not whole. */
export const readWorktreeRecord = (data: string, thread: string): WorktreeRecord | undefined =>
  readThreadRecord(worktreeFolder(data), thread)

/** Newest first. */
export const readWorktreeRecords = (data: string): WorktreeRecord[] =>
  readThreadRecords<WorktreeRecord>(worktreeFolder(data)).sort((a, b) => b.created - a.created)
