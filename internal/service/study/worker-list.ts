// The list of workers: those of studies on this machine, and those that take tasks from a server.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { codeOf } from '../../base/errors.ts'
import { isAlive, processIdentity } from '../../base/process-identity.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { openJournal } from '../../store/journal/sqlite.ts'
import { coordinatorTask } from '../../study/coordinator/coordinator-lease.ts'
import { parseWorkerRecord, type WorkerRecord } from '../../study/engine/worker-record.ts'
import type { StudyHead } from '../../study/log/entries.ts'
import type { StudyState } from '../../study/log/state.ts'
import { isStudyOver } from '../../study/log/task-end.ts'
import { readLiveEntries } from '../../study/redis/live-entries.ts'
import { openRedisServer, type RedisServer } from '../../study/redis/server.ts'
import { leaseOwner, thisHost } from './worker-environment.ts'

/** Name of the collection of workers on a server. */
export const workersName = 'workers'

const directoryOf = (env: EnvironmentVariables) => join(dataDir(env), 'workers')

/**
 * Stores in a file of the data directory that this process can do `slots` tasks of a study at once.
 * Returns a function that removes the file. The list of workers ignores files of killed processes. A
 * failed write is ignored.
 */
export function noteLocalWorker(
  { id: study, root, corpus, read, model, revision }: StudyHead,
  slots: number,
  env: EnvironmentVariables,
): () => void {
  const record: WorkerRecord = {
    label: leaseOwner(process.pid),
    host: thisHost,
    pid: process.pid,
    version: process.env.ANODE_VERSION ?? '0',
    slots,
    busy: 0,
    since: Date.now(),
    root,
    serves: [{ corpus, files: read?.files, commit: revision?.commit }],
    refused: [],
    model: model.name,
    study,
  }
  const file = join(directoryOf(env), `${processIdentity()}.${study}.json`)
  try {
    mkdirSync(directoryOf(env), { recursive: true, mode: 0o700 })
    writeFileSync(file, JSON.stringify(record), { mode: 0o600 })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
  return () => rmSync(file, { force: true })
}

/**
 * Returns the workers that run now, sorted by label. `engine` is the URL of a server with its password, or
 * `embedded`. Throws UserError if the server does not answer.
 */
export async function listWorkers(engine: string, env: EnvironmentVariables): Promise<WorkerRecord[]> {
  const workers = engine === 'embedded' ? await listLocalWorkers(env) : await listServerWorkers(engine)
  return workers.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0))
}

async function listServerWorkers(engine: string): Promise<WorkerRecord[]> {
  const server = await openRedisServer(engine, { unsafe: true, patienceMs: 5_000 })
  try {
    return await readServerWorkers(server)
  } finally {
    await server.close()
  }
}

/** Returns the workers of an open server. A damaged record is left out. */
export async function readServerWorkers(server: RedisServer): Promise<WorkerRecord[]> {
  const values = await readLiveEntries(server, workersName)
  return [...values.values()].flatMap((value) => parseWorkerRecord(JSON.stringify(value)) ?? [])
}

async function listLocalWorkers(env: EnvironmentVariables): Promise<WorkerRecord[]> {
  const directory = directoryOf(env)
  const workers = readNames(directory).flatMap((name) => readLocalWorker(join(directory, name), name) ?? [])
  if (workers.length === 0) return []
  const journal = await openJournal(dataDir(env))
  try {
    for (const worker of workers) {
      const leases = worker.study === undefined ? [] : await journal.leases(worker.study).catch(() => [])
      worker.busy = leases.filter(
        ({ task, owner }) => owner === worker.label && task !== coordinatorTask,
      ).length
    }
    return workers
  } finally {
    await journal.close()
  }
}

function readNames(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.json'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/**
 * Returns the record of a process; undefined if the record cannot be read or the process has ended. The
 * record of an ended process is removed.
 */
function readLocalWorker(file: string, name: string): WorkerRecord | undefined {
  try {
    const ageMs = Date.now() - statSync(file).mtimeMs
    if (isAlive(name.split('.')[0] ?? '', ageMs)) return parseWorkerRecord(readFileSync(file, 'utf8'))
    rmSync(file, { force: true })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
  return undefined
}

/**
 * Returns the workers of a running study as text such as `2 workers, 6 of 16 slots`, where 6 tasks run and 16
 * could. Resolves to undefined after the end of the study, and if its server cannot be reached.
 */
export async function findWorkersOf(
  { head, status }: Pick<StudyState, 'head' | 'status'>,
  env: EnvironmentVariables,
): Promise<string | undefined> {
  if (isStudyOver({ status })) return undefined
  const engine = head.engine === 'embedded' ? head.engine : env['ANODE_ENGINE'] || head.engine
  const workers = await listWorkers(engine, env).catch(() => undefined)
  return workers && describeWorkers(workers, head)
}

function describeWorkers(workers: readonly WorkerRecord[], head: StudyHead): string {
  const serving = workers.filter((worker) => servesStudy(worker, head))
  const sum = (key: 'busy' | 'slots') => serving.reduce((total, worker) => total + worker[key], 0)
  const slots = serving.length === 0 ? '' : `, ${sum('busy')} of ${countNoun(sum('slots'), 'slot')}`
  return `${countNoun(serving.length, 'worker')}${slots}${describeOthers(workers, head)}`
}

/**
 * Returns true if the worker takes tasks of any study from a server and does not have the files
 * of this study.
 */
export const hasOtherFiles = (worker: WorkerRecord, head: StudyHead): boolean =>
  worker.study === undefined && !servesStudy(worker, head)

/**
 * Returns the workers whose files differ from those of the study, as text that begins with `;` to follow
 * other text. Empty without such workers. It counts all of them and names at most five.
 */
export function describeOthers(workers: readonly WorkerRecord[], head: StudyHead): string {
  const others = workers.filter((worker) => hasOtherFiles(worker, head))
  if (others.length === 0) return ''
  const { corpus, read } = head
  const named = others.slice(0, maxNamedWorkers).map(({ label, serves: [workerFiles], refused }) => {
    const why = refused.find((one) => one.corpus === corpus)?.why
    const files = workerFiles
      ? [`${workerFiles.corpus.slice(0, 12)}, ${countNoun(workerFiles.files ?? 0, 'file')}`]
      : []
    return `${label}: ${[...(why === undefined ? [] : [why]), ...files].join('; ')}`
  })
  const wantedText = read ? `; wanted ${corpus.slice(0, 12)}, ${countNoun(read.files, 'file')}` : ''
  const serve = countNoun(others.length, 'worker serves', 'workers serve')
  return `; ${serve} other files (${named.join('; ')}${wantedText})`
}

const maxNamedWorkers = 5

const servesStudy = ({ study, serves }: WorkerRecord, { id, corpus }: StudyHead): boolean =>
  study === undefined ? serves.some((one) => one.corpus === corpus) : study === id
