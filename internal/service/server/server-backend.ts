// Data and actions that the server provides for a data directory: runs, threads, studies, experiments,
// builds and tools.
import { realpathSync } from 'node:fs'
import { configDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { readWorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { RunAccess, ServerBackend } from '../../server/backend.ts'
import type { RunSummary } from '../../server/run-summary.ts'
import type { SessionSource } from '../../session/client.ts'
import { createActivityReader } from '../../store/activity-counts.ts'
import { openDatabase } from '../../store/sqlite.ts'
import type { Store } from '../../store/store.ts'
import { isTrusted, refuseOwnDirectory } from '../../trust/is-trusted.ts'
import { openBuildBoards } from '../build/build-boards.ts'
import { openResearchBoards } from '../research/research-boards.ts'
import {
  cancelRun,
  joinRun,
  listRuns,
  openRun,
  type RunPlace,
  readRun,
  readRunSnapshot,
  startRunProcess,
} from '../runs/run-access.ts'
import { isRunAlive, readRunRecord, readRunRecords } from '../runs/run-record.ts'
import { readSessionChoices } from '../session/session-choices.ts'
import { openStudyBoards } from '../study/board/study-boards.ts'
import { summarizeStudies } from '../study/study-listing.ts'
import { describeUsage } from '../threads/usage-json.ts'
import { readUsage } from '../threads/usage-report.ts'
import { describeApprovals } from './approval-description.ts'
import { openConversationList } from './conversation-list.ts'
import { describePermissions } from './permission-overview.ts'
import { openRunTopics } from './run-topics.ts'
import { startBuild, startResearch, startStudy } from './started-work.ts'
import { useWorkspaceTool } from './tool-call.ts'
import { listWorkspaceTools, showWorkspaceTool } from './tool-lookup.ts'

const maxListed = 200

export function createServerBackend(data: string, store: Store, place: RunPlace): ServerBackend {
  const { env } = place
  const studies = openStudyBoards(data, env)
  const activity = openActivity(data)
  const inFolder = <T extends { workspace: string }>(wishes: T): T => ({
    ...wishes,
    workspace: existingFolder(wishes.workspace, env),
  })
  return {
    version: process.env.ANODE_VERSION ?? '0',
    runs: createRunAccess(data, store, place),
    studies: {
      ...studies,
      list: () => summarizeStudies({ cwd: data, env, everywhere: true, limit: maxListed }),
      start: (wishes) => startStudy(inFolder(wishes), place),
    },
    research: {
      ...openResearchBoards(data),
      start: (wishes) => startResearch(inFolder(wishes), place),
    },
    builds: {
      ...openBuildBoards(data, env),
      start: (wishes) => startBuild(inFolder(wishes), place),
    },
    tools: {
      list: (wishes) => listWorkspaceTools(inFolder(wishes), env),
      show: (name, wishes) => showWorkspaceTool(name, inFolder(wishes), env),
      use: (name, wishes) => useWorkspaceTool(name, inFolder(wishes), place),
    },
    isKnownWorkspace: (path) => isKnownWorkspace(path, data, store, env),
    async readChoices(where) {
      const cwd = 'workspace' in where ? where.workspace : await findWorkspace(data, store, where.thread)
      if (cwd === undefined) return undefined
      const { models, profiles } = await readSessionChoices(
        await readWorkspaceContext(existingFolder(cwd, env), env),
      )
      return { models, profiles }
    },
    async readPermissions(workspace) {
      const isRun = (await readRunRecords(data)).some((record) => record.workspace === workspace)
      const isKnown = isRun || store.threads.list({ workspace, limit: 1 }).length > 0
      return isKnown ? describePermissions(store, existingFolder(workspace, env), env) : undefined
    },
    readActivity: activity.read,
    readUsage: async (wishes) => describeUsage(wishes, await readUsage(env, wishes)),
    async close() {
      await studies.close()
      await activity.close()
    },
  }
}

/** Returns a reader of the recorded activity. It opens a database connection at the first call of `read`. */
function openActivity(data: string) {
  const open = async () => {
    const db = await openDatabase(data)
    return { read: createActivityReader(db), close: () => db.close() }
  }
  let opened: ReturnType<typeof open> | undefined
  return {
    async read() {
      opened ??= open()
      return (await opened).read()
    },
    close: async () => (await opened)?.close(),
  }
}

function createRunAccess(data: string, store: Store, place: RunPlace): RunAccess {
  const { env } = place
  const conversations = openConversationList(data, store)
  /** Adds tokens and cost to a run whose record has none, and the latest end to an idle run. */
  const complete = (run: RunSummary): RunSummary => {
    if (run.tokens !== null && run.state !== 'idle') return run
    const facts = conversations.readFacts(run.thread)
    if (!facts) return run
    const { tokens, usd, end, reason } = facts
    const endFields = run.state === 'idle' ? { end, reason } : {}
    return { ...run, ...endFields, ...(run.tokens === null && { tokens, usd }) }
  }
  return {
    list: async () => (await listRuns(env)).map(complete),
    async read(thread) {
      const run = await readRun(env, thread)
      return run && complete(run)
    },
    has: async (thread) => readRunRecord(data, thread) !== undefined,
    async start({ task, workspace, profile, model, mode, fork, until }) {
      const settings = { mode, profile, model, until }
      const cwd = existingFolder(workspace, env)
      const source: SessionSource = fork ? { kind: 'fork', ...fork } : { kind: 'new' }
      return startRunProcess({ cwd, source, settings, addDirs: [], message: task }, place)
    },
    cancel: (thread) => cancelRun(env, thread),
    async watch(thread) {
      const record = readRunRecord(data, thread)
      return record && isRunAlive(record) ? joinRun(data, thread) : undefined
    },
    async describeApprovals(thread) {
      const record = readRunRecord(data, thread)
      return record && isRunAlive(record) ? describeApprovals(await readRunSnapshot(data, thread)) : []
    },
    async join(thread) {
      const cwd = await findWorkspace(data, store, thread)
      if (cwd === undefined) return undefined
      const source = { kind: 'resume', thread } as const
      return openRun({ cwd, source, settings: { mode: 'ask' }, addDirs: [] }, place)
    },
    async readStored(thread, after) {
      return store.threads.get(thread) && store.threads.events(thread, after, 500)
    },
    listThreads: (query) => conversations.list(query),
    ...openRunTopics(data, store),
  }
}

const findWorkspace = async (data: string, store: Store, thread: string) =>
  readRunRecord(data, thread)?.workspace ?? store.threads.get(thread)?.workspace

async function isKnownWorkspace(
  path: string,
  data: string,
  store: Store,
  env: RunPlace['env'],
): Promise<boolean> {
  const workspace = existingFolder(path, env)
  if (store.threads.list({ workspace, limit: 1 }).length > 0) return true
  return isTrusted(workspace, data, configDir(env))
}

function existingFolder(path: string, env: RunPlace['env']): string {
  let real: string
  try {
    real = realpathSync(path)
  } catch (cause) {
    throw new UserError(`${path}: no such directory, or not yours`, {
      hint: 'name a directory that exists',
      cause,
    })
  }
  refuseOwnDirectory(real, env)
  return real
}
