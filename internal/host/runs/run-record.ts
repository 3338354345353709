// The runs of this data directory, one file each: where to reach a run while it lives, and how it ended.
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, UserError } from '../../base/errors.ts'
import { writeAtomic } from '../../base/files/atomic-write.ts'
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
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

export async function writeRunRecord(data: string, record: RunRecord): Promise<void> {
  const folder = await openRunFolder(data)
  await writeAtomic(join(folder, `${record.thread}.json`), Buffer.from(JSON.stringify(record)), {
    mode: 0o600,
  })
}

/** Newest first. */
export async function readRunRecords(data: string): Promise<RunRecord[]> {
  const names = listNames(folderOf(data))
  const records: RunRecord[] = []
  for (const name of names) {
    const record = name.endsWith('.json') ? readRecordFile(data, name.slice(0, -'.json'.length)) : undefined
    if (record) records.push(record)
  }
  records.sort((a, b) => b.started - a.started)
  for (const { thread } of records.splice(maxKept)) {
    await rm(join(folderOf(data), `${thread}.json`), { force: true })
    await rm(standingPath(data, thread), { force: true })
  }
  return records
}

/** None where there is no such folder. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Undefined for one that is not there, or not whole. */
export const readRunRecord = async (data: string, thread: string): Promise<RunRecord | undefined> =>
  readRecordFile(data, thread)

/** Read at once: hundreds of small files, each of which would wait for a thread several times. */
function readRecordFile(data: string, thread: string): RunRecord | undefined {
  if (!isThreadName(thread)) return undefined
  try {
    const record = JSON.parse(readFileSync(join(folderOf(data), `${thread}.json`), 'utf8')) as RunRecord
    return record.thread === thread ? record : undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whether the process of a run may still be at work. */
export const isRunAlive = ({ mark, ended, started }: RunRecord) =>
  ended === undefined && isAlive(mark, Date.now() - started)
