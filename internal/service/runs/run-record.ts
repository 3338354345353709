// Records of the runs in a data directory, one file each: the process of an active run, or how the run ended.
import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { readJsonRecord, writeJsonRecord } from '../../base/files/json-record.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isAlive } from '../../base/process-identity.ts'

export interface RunRecord {
  thread: string
  /** Real path of the workspace. */
  workspace: string
  title: string
  profile: string
  model: string
  /** Id of the process; `mark` distinguishes the process from later ones with the same id. */
  pid: number
  mark: string
  /** Start of the run, in milliseconds since 1970. */
  started: number
  /** End of the run; undefined while the process is alive, or if it was killed. */
  ended?: { at: number; end: string; reason?: string; proof?: string }
}

/** Largest number of records. Older records are removed. */
const maxKept = 200

const folderOf = (data: string) => join(data, 'runs')

/**
 * Returns true if the text has the form of a thread id. A client may send any text, which must not change the
 * path of a file.
 */
const isThreadName = (name: string) => /^sess_[0-9A-Za-z]{10,40}$/.test(name)

/** Longest path of a socket, in bytes, that both Linux and macOS accept. */
const maxSocketPath = 103

/** Returns the path of a run's socket. Throws UserError if the path of the data directory is too long. */
export function runSocketPath(data: string, thread: string): string {
  const path = join(folderOf(data), `${thread.slice(-12)}.sock`)
  if (Buffer.byteLength(path) <= maxSocketPath) return path
  throw new UserError(`the data directory ${data} has too long a name for a socket`, {
    hint: 'set ANODE_DATA_DIR to a shorter one',
  })
}

/** Returns the path of a run's state file. */
export const standingPath = (data: string, thread: string) => join(folderOf(data), `${thread}.state`)

/** Creates the directory of the records if it is missing, readable only by its user. Returns its path. */
export async function openRunFolder(data: string): Promise<string> {
  const folder = folderOf(data)
  makeDirectory(folder, 0o700)
  return folder
}

export async function writeRunRecord(data: string, record: RunRecord): Promise<void> {
  const folder = await openRunFolder(data)
  await writeJsonRecord(join(folder, `${record.thread}.json`), record)
}

/** Returns the latest 200 records, latest first, and removes all older ones. */
export async function readRunRecords(data: string): Promise<RunRecord[]> {
  const records = readThreadRecords<RunRecord>(folderOf(data)).sort((a, b) => b.started - a.started)
  for (const { thread } of records.splice(maxKept)) {
    await rm(join(folderOf(data), `${thread}.json`), { force: true })
    await rm(standingPath(data, thread), { force: true })
  }
  return records
}

/** Returns the valid records of a directory, or an empty list if the directory is missing. */
export function readThreadRecords<T extends { thread: string }>(folder: string): T[] {
  if (!existsSync(folder)) return []
  const records = readdirSync(folder).map((name) =>
    name.endsWith('.json') ? readThreadRecord<T>(folder, name.slice(0, -'.json'.length)) : undefined,
  )
  return records.filter((record) => record !== undefined)
}

/** Returns a record, or undefined if it is missing or incomplete. */
export const readRunRecord = (data: string, thread: string): RunRecord | undefined =>
  readThreadRecord(folderOf(data), thread)

/** Returns the record of a thread in a directory, or undefined if it is missing or incomplete. */
export function readThreadRecord<T extends { thread: string }>(
  folder: string,
  thread: string,
): T | undefined {
  if (!isThreadName(thread)) return undefined
  const record = readJsonRecord<T>(join(folder, `${thread}.json`))
  return record?.thread === thread ? record : undefined
}

/** Returns whether the process of a run may still be alive. */
export const isRunAlive = ({ mark, ended: runEnd, started }: RunRecord) =>
  runEnd === undefined && isAlive(mark, Date.now() - started)
