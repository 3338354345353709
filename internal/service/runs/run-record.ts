// The runs of this data directory, one file each: where to reach a run while it lives, and how it ended.
import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { readJsonRecord, writeJsonRecord } from '../../base/files/json-record.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isAlive } from '../../base/process-identity.ts'

export interface RunRecord {
  thread: string
  /** Real path. */
  workspace: string
  title: string
  profile: string
  model: string
  /** Process that serves it, and its identity. */
  pid: number
  mark: string
  /** Milliseconds since 1970. */
  started: number
  /** Absent while its process lives, or after that was killed. */
  ended?: { at: number; end: string; reason?: string }
}

/** Ended ones that are kept. */
const maxKept = 200

const folderOf = (data: string) => join(data, 'runs')

/** A name of a thread is safe in a path, whatever a client sends. */
const isThreadName = (name: string) => /^sess_[0-9A-Za-z]{10,40}$/.test(name)

/** The longest path that a socket of Linux and macOS may have, in bytes. */
const maxSocketPath = 103

/** Throws UserError for a data directory that lies too deep. */
export function runSocketPath(data: string, thread: string): string {
  const path = join(folderOf(data), `${thread.slice(-12)}.sock`)
  if (Buffer.byteLength(path) <= maxSocketPath) return path
  throw new UserError(`the data directory ${data} has too long a name for a socket`, {
    hint: 'set ANODE_DATA_DIR to a shorter one',
  })
}

/** Where a run writes how it stands. */
export const standingPath = (data: string, thread: string) => join(folderOf(data), `${thread}.state`)

/** The folder of all records, made where there is none; nobody else may look into it. */
export async function openRunFolder(data: string): Promise<string> {
  const folder = folderOf(data)
  makeDirectory(folder, 0o700)
  return folder
}

export async function writeRunRecord(data: string, record: RunRecord): Promise<void> {
  const folder = await openRunFolder(data)
  await writeJsonRecord(join(folder, `${record.thread}.json`), record)
}

/** Newest first. */
export async function readRunRecords(data: string): Promise<RunRecord[]> {
  const records = readThreadRecords<RunRecord>(folderOf(data)).sort((a, b) => b.started - a.started)
  for (const { thread } of records.splice(maxKept)) {
    await rm(join(folderOf(data), `${thread}.json`), { force: true })
    await rm(standingPath(data, thread), { force: true })
  }
  return records
}

/** All records of a folder; none where there is no such folder. */
export function readThreadRecords<T extends { thread: string }>(folder: string): T[] {
  if (!existsSync(folder)) return []
  const records = readdirSync(folder).map((name) =>
    name.endsWith('.json') ? readThreadRecord<T>(folder, name.slice(0, -'.json'.length)) : undefined,
  )
  return records.filter((record) => record !== undefined)
}

/** Undefined for one that is not there, or not whole. */
export const readRunRecord = (data: string, thread: string): RunRecord | undefined =>
  readThreadRecord(folderOf(data), thread)

/** The record of a thread in a folder of them; undefined for one that is not there, or not whole. */
export function readThreadRecord<T extends { thread: string }>(
  folder: string,
  thread: string,
): T | undefined {
  if (!isThreadName(thread)) return undefined
  const record = readJsonRecord<T>(join(folder, `${thread}.json`))
  return record?.thread === thread ? record : undefined
}

/** Whether the process of a run may still be at work. */
export const isRunAlive = ({ mark, ended, started }: RunRecord) =>
  ended === undefined && isAlive(mark, Date.now() - started)
