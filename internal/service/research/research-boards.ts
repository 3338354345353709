// Reader of experiment sessions for the server. It reads their ledgers (logs of results) without changes.
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { isAlive } from '../../base/process-identity.ts'
import { foldResearchBoard } from '../../research/board/fold-board.ts'
import { type LedgerFile, ledgerPath, readLedgerFile } from '../../research/ledger/ledger-file.ts'
import { readPendingRuns } from '../../research/ledger/pending-runs.ts'
import { sessionHomeOf } from '../../research/workspace/session-home.ts'
import type { ResearchAccess } from '../../server/backend.ts'
import type { ListedResearch, ResearchBoard, ResearchRecord } from '../../session/board/research-board.ts'
import type { ExperimentRuntime } from './experiment-runtime.ts'
import { controlLoop, readLoop } from './loop-control.ts'

interface ResearchBoards extends Omit<ResearchAccess, 'start'> {
  /**
   * Returns the sessions with an active segment, a series of runs with the same settings. With `home`,
   * returns only those in the directory of that name. Sessions whose ledger changed last come first.
   */
  list(home?: string): Promise<ListedResearch[]>
}

/** Returns the id by which the server knows the session of the runtime; undefined without a session. */
export async function findResearchId({ research, options }: ExperimentRuntime): Promise<string | undefined> {
  const { session } = await research.state()
  const home = sessionHomeOf(dataDir(options.env), await realpath(options.cwd))
  return session === undefined ? undefined : `${basename(home)}.${session}`
}

/** A cached ledger, read again only after its file has changed. */
interface KeptLedger {
  version: string
  updated: number
  file: LedgerFile
}

const maxRecords = 500

export function openResearchBoards(data: string): ResearchBoards {
  const home = join(data, 'research')
  const ledgers = new Map<string, KeptLedger>()
  const dirOf = (id: string) => join(home, ...id.split('.'))
  const read = async (id: string): Promise<KeptLedger | undefined> => {
    // only the format of session directories is allowed, so that the path stays inside the data directory
    if (!/^[a-z0-9-]+\.[a-z0-9-]+$/.test(id)) return undefined
    const fileStats = await stat(ledgerPath(dirOf(id))).catch(ignoreAbsent)
    if (!fileStats) return undefined
    const version = `${fileStats.size} ${fileStats.mtimeMs}`
    const before = ledgers.get(id)
    if (before?.version === version) return before
    const now = { version, updated: fileStats.mtimeMs, file: await readLedgerFile(dirOf(id), '') }
    ledgers.set(id, now)
    return now
  }
  const boardOf = async (id: string) => {
    const ledger = await read(id)
    return ledger && readBoard(id, dirOf(id), ledger.file)
  }
  return {
    board: boardOf,
    async list(only) {
      const ids = await listSessions(home, only)
      const listed = await Promise.all(
        ids.map(async (id) => {
          const board = await boardOf(id)
          const ledger = await read(id)
          if (!board || !ledger) return []
          const { name, objective, metric, counts, stopped, usd } = board
          return [{ id, name, objective, metric, counts, stopped, usd, updated: ledger.updated }]
        }),
      )
      return listed.flat().sort((a, b) => b.updated - a.updated)
    },
    async records(id, after) {
      const ledger = await read(id)
      return ledger?.file.ledger.entries.slice(after, after + maxRecords).map(leaveOutSamples)
    },
    async control(id, wish) {
      if (!(await read(id))) return undefined
      const outcome = await controlLoop(dirOf(id), wish)
      if (outcome !== 'elsewhere') return outcome
      throw new UserError('the process of this loop cannot be reached from here', {
        hint: 'press Ctrl-C where it runs',
      })
    },
  }
}

async function listSessions(home: string, only: string | undefined): Promise<string[]> {
  const homes = (await readdir(home, { withFileTypes: true }).catch(ignoreAbsent)) ?? []
  const idLists = await Promise.all(
    homes
      .filter((entry) => entry.isDirectory() && (only === undefined || entry.name === only))
      .map(async ({ name }) => {
        const sessions = (await readdir(join(home, name), { withFileTypes: true }).catch(ignoreAbsent)) ?? []
        return sessions.filter((entry) => entry.isDirectory()).map((entry) => `${name}.${entry.name}`)
      }),
  )
  return idLists.flat()
}

async function readBoard(
  id: string,
  dir: string,
  { folded }: LedgerFile,
): Promise<ResearchBoard | undefined> {
  const pending = (await readPendingRuns(dir)).map(({ run, state: step, mark, started }) => ({
    run,
    state: step,
    started,
    alive: isAlive(mark, Date.now() - Date.parse(started)),
  }))
  const loop = await readLoop(dir)
  return foldResearchBoard(id, folded, {
    pending,
    ideas: loop ? await readIdeas(loop.workspace) : null,
    loop: loop ? { policy: loop.policy, isPaused: loop.isPaused, started: loop.started } : null,
  })
}

const maxIdeas = 20_000

async function readIdeas(workspace: string): Promise<string | null> {
  const paths = ['.auto/ideas.md', 'autoresearch.ideas.md'].map((name) => join(workspace, name))
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text !== undefined) return text.slice(0, maxIdeas)
  }
  return null
}

/**
 * Returns a ledger line without `prev` (the hash of the line before) and without nested values such as
 * samples. These are most of a line, and viewers do not need them.
 */
function leaveOutSamples({ prev: _, ...line }: Readonly<Record<string, unknown>>): ResearchRecord {
  const entries = Object.entries(line).filter(([, value]) => typeof value !== 'object' || value === null)
  return Object.fromEntries(entries) as unknown as ResearchRecord
}

const ignoreAbsent = (error: unknown) => ignoreCodes('ENOENT', 'ENOTDIR')(error)
