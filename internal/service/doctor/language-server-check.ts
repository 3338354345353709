// Overview of language servers, both usable and missing ones, and a trial start of each usable one.
import { FailureError, messageOf } from '../../base/errors.ts'
import { createServer } from '../../lsp/language-server.ts'
import { operationRequests } from '../../lsp/lsp-operations.ts'
import { loadServerEntries, sandboxedEntries } from '../../runtime/extensions/started-language-servers.ts'
import { openProcesses } from '../../runtime/processes/session-processes.ts'
import { readWorkspaceContext, type WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { DoctorTarget } from './doctor-check.ts'
import { countFileKinds, installCommand } from './language-need.ts'

interface LanguageServerRow {
  name: string
  /**
   * `ready` to start; `idle` because it is turned off or not trusted; `broken` because of its configuration.
   */
  state: 'ready' | 'idle' | 'not installed' | 'broken'
  /** Extensions and names of the files that the server is for. */
  files: string[]
  /** The complete command; empty unless the state is `ready`. */
  command: string
  /** Origin of the server, or the reason why it is not in use. */
  detail: string
  /** Number of files in the workspace that the server serves. */
  needed: number
  /** Command that installs the server, if files need it, it is not installed and the command is known. */
  install?: string
}

export interface LanguageServerTrial extends LanguageServerRow {
  /** Result of the trial start, if the server was started: the operations that it offers, or the error. */
  trial?: { ok: boolean; ms: number; offers: string[]; why?: string }
}

/** Returns the language servers without starting any. */
export async function listLanguageServers({
  cwd,
  env,
}: Omit<DoctorTarget, 'signal'>): Promise<LanguageServerRow[]> {
  return rowsOf(await readWorkspaceContext(cwd, env))
}

/** Returns the rows of needed servers first, those for the most files before the others. */
async function rowsOf(context: WorkspaceContext): Promise<LanguageServerRow[]> {
  const kinds = countFileKinds(context.workspace)
  const rows = (await plainRows(context)).map((row): LanguageServerRow => {
    const needed = row.files.reduce((sum, kind) => sum + (kinds.get(kind) ?? 0), 0)
    const install = needed > 0 && row.state === 'not installed' ? installCommand(row.name) : undefined
    return install === undefined ? { ...row, needed } : { ...row, needed, install }
  })
  return rows.sort((a, b) => b.needed - a.needed)
}

async function plainRows(context: WorkspaceContext): Promise<Omit<LanguageServerRow, 'needed'>[]> {
  const { entries, idle, diagnostics } = await loadServerEntries(context)
  return [
    ...entries.map(
      ({
        name,
        extensions,
        program,
        args,
        origin,
        sandboxed,
        sandbox,
      }): Omit<LanguageServerRow, 'needed'> => ({
        name,
        state: 'ready',
        files: Object.keys(extensions),
        command: [program, ...args].join(' '),
        detail: sandboxed || sandbox ? `${origin}, in the sandbox` : origin,
      }),
    ),
    ...diagnostics.map(
      ({ where, message }): Omit<LanguageServerRow, 'needed'> => ({
        name: where,
        state: 'broken',
        files: [],
        command: '',
        detail: message,
      }),
    ),
    ...idle.map(
      ({ name, extensions, why, where, absent }): Omit<LanguageServerRow, 'needed'> => ({
        name,
        state: where !== undefined ? 'broken' : absent ? 'not installed' : 'idle',
        files: Object.keys(extensions),
        command: '',
        detail: where === undefined ? why : `${why} (${where})`,
      }),
    ),
  ]
}

/**
 * Starts each ready server in the workspace, reads the operations that it offers, and ends it. Returns all
 * servers; those that were started have a `trial`. A start may take at most 30 seconds.
 */
export async function tryLanguageServers({ cwd, env, signal }: DoctorTarget): Promise<LanguageServerTrial[]> {
  const context = await readWorkspaceContext(cwd, env)
  const rows = await rowsOf(context)
  const entries = sandboxedEntries((await loadServerEntries(context)).entries, [context.workspace], context)
  const { workspace } = context
  const closers: (() => void | Promise<void>)[] = []
  const { spawn } = openProcesses(context, undefined, closers)
  try {
    return await Promise.all(
      rows.map(async (row) => {
        const entry = row.state === 'ready' ? entries.find(({ name }) => name === row.name) : undefined
        if (!entry) return row
        return { ...row, trial: await tryServer(createServer(entry, workspace, spawn), signal) }
      }),
    )
  } finally {
    for (const close of closers) await close()
  }
}

const trialMs = 30_000

type LanguageServer = ReturnType<typeof import('../../lsp/language-server.ts')['createServer']>

async function tryServer(
  server: LanguageServer,
  signal: AbortSignal,
): Promise<NonNullable<LanguageServerTrial['trial']>> {
  const since = performance.now()
  const ms = () => Math.round(performance.now() - since)
  try {
    const { client } = await server.ready({ timeoutMs: trialMs, signal })
    const offers = Object.entries(operationRequests).flatMap(([name, { provider }]) =>
      client.capabilities[provider] ? [name] : [],
    )
    return { ok: true, ms: ms(), offers }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return { ok: false, ms: ms(), offers: [], why: messageOf(error) }
  } finally {
    await server.stop()
  }
}
