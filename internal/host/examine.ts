// What `anode doctor` looks at: each check says what it found and what to do about it.
import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs'
import { dataDir } from '../base/dirs.ts'
import { messageOf } from '../base/errors.ts'
import { diagnose } from '../config/doctor.ts'
import { hookFiles } from './extensions/hooks.ts'
import { listServers } from './extensions/lsp-check.ts'
import { openSession } from './session.ts'
import { profilesOf, skillsOf, surroundings } from './surroundings.ts'

export interface Check {
  what: string
  /** `missing` parts have a fall-back or are optional; `broken` ones stop something from working. */
  state: 'ok' | 'missing' | 'broken'
  detail: string
}

interface Where {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}

/** Runs every check, in a fixed order; one that breaks becomes a broken line and the rest go on. */
export async function examine(where: Where): Promise<Check[]> {
  const checks: Check[] = [
    { what: 'node', state: 'ok', detail: `${process.version} ${process.platform} ${process.arch}` },
  ]
  const attempt = async (what: string, look: () => Promise<Check | Check[]> | Check | Check[]) => {
    try {
      checks.push(...[await look()].flat())
    } catch (error) {
      checks.push({ what, state: 'broken', detail: messageOf(error) })
    }
  }
  await attempt('configuration', () => configuration(where))
  await attempt('data directory', () => storage(where))
  await attempt('database', () => database(where))
  await attempt('workspace', () => workspace(where))
  await attempt('hooks', () => hooks(where))
  await attempt('programs', () => programs(where))
  await attempt('language servers', () => servers(where))
  await attempt('mcp', () => mcp(where))
  await attempt('shell grammar', grammar)
  return checks
}

async function configuration({ env, cwd }: Where): Promise<Check[]> {
  const findings = await diagnose({ env, workspace: cwd })
  if (findings.length === 0) return [{ what: 'configuration', state: 'ok', detail: 'valid' }]
  return findings.map(({ path, severity, text }) => ({
    what: 'configuration',
    state: severity === 'error' ? 'broken' : 'ok',
    detail: `${path}: ${text}`,
  }))
}

function storage({ env }: Where): Check {
  const dir = dataDir(env)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  accessSync(dir, constants.W_OK)
  const { bavail, bsize } = statfsSync(dir)
  const free = Math.floor((bavail * bsize) / 2 ** 20)
  return { what: 'data directory', state: free < 100 ? 'broken' : 'ok', detail: `${dir}, ${free} MiB free` }
}

async function database({ env }: Where): Promise<Check> {
  const { openStore } = await import('../store/sqlite.ts')
  const store = await openStore(dataDir(env))
  try {
    const threads = store.threads.list({ limit: 1 }).length
    return {
      what: 'database',
      state: 'ok',
      detail: `opens and answers${threads === 0 ? ', no threads yet' : ''}`,
    }
  } finally {
    store.close()
  }
}

async function workspace({ cwd, env }: Where): Promise<Check[]> {
  const around = await surroundings(cwd, env)
  const profiles = await profilesOf(around)
  const skills = await skillsOf(around)
  const problems = [...profiles.diagnostics, ...(await skills.set()).diagnostics].map(
    (problem): Check => ({
      what: 'extension',
      state: 'broken',
      detail: `${problem.where}: ${problem.message}`,
    }),
  )
  const state = around.trusted ? 'trusted' : 'not trusted, or nothing to trust'
  return [{ what: 'workspace', state: 'ok', detail: `${around.workspace}, ${state}` }, ...problems]
}

async function hooks({ cwd, env }: Where): Promise<Check[]> {
  const paths = hookFiles(await surroundings(cwd, env))
  if (paths.length === 0) return []
  const { loadHooks } = await import('../hook/load.ts')
  const { hooks: found, diagnostics } = await loadHooks(paths)
  const problems = diagnostics.map(({ severity, where, message }): Check => {
    return { what: 'hooks', state: severity === 'error' ? 'broken' : 'ok', detail: `${where}: ${message}` }
  })
  return [{ what: 'hooks', state: 'ok', detail: `${found.length} from ${paths.join(', ')}` }, ...problems]
}

/** From what is on disk; the servers of which nothing was known have been asked by the check before. */
async function mcp(where: Where): Promise<Check[]> {
  const { stateOf, withServers } = await import('./extensions/mcp.ts')
  return withServers(where, async ({ servers }) =>
    servers.members.map(stateOf).map(({ name, state, detail }): Check => {
      const isBroken = state === 'failed' || state === 'changed'
      return { what: `mcp ${name}`, state: isBroken ? 'broken' : 'ok', detail }
    }),
  )
}

async function programs({ cwd, env, signal }: Where): Promise<Check[]> {
  const session = await openSession({
    cwd,
    env,
    signal,
    mode: 'ask',
    approval: 'none',
    addDirs: [],
    record: 'changes',
    terminal: undefined,
  })
  try {
    const notes = session.notes
      .filter((note) => !note.startsWith('MCP server '))
      .map((note): Check => ({ what: 'tools', state: 'broken', detail: note }))
    const run = session.ctx.can.run
    const version = async (file: string, args: string[], without: string): Promise<Check> => {
      try {
        const done = await run?.({ file, args, cwd, timeoutMs: 5_000 })
        const line = (done?.stdout.text || done?.stderr.text || '').split('\n', 1)[0] ?? ''
        return {
          what: file,
          state: done?.exit === 0 ? 'ok' : 'missing',
          detail: done?.exit === 0 ? line : without,
        }
      } catch {
        return { what: file, state: 'missing', detail: without }
      }
    }
    return [
      ...notes,
      await version('git', ['--version'], 'diffs and experiments need it'),
      await version('bash', ['--version'], 'the tool bash needs it'),
      await version('ctags', ['--version'], 'finder falls back to a pattern search for symbols'),
    ]
  } finally {
    await session.close()
  }
}

/** Nothing is started: `anode lsp doctor` does that. */
async function servers(where: Where): Promise<Check[]> {
  const rows = await listServers(where)
  const idle = rows.filter(({ state }) => state === 'idle').map(({ name }) => name)
  const checks = rows
    .filter(({ state }) => state !== 'idle')
    .map(({ name, state, detail, command }): Check => {
      const text = state === 'ready' ? `${name}: ${command}` : `${name}: ${detail}`
      return { what: 'language server', state: state === 'ready' ? 'ok' : 'broken', detail: text }
    })
  if (checks.length > 0 || idle.length === 0) return checks
  return [
    {
      what: 'language server',
      state: 'missing',
      detail: `none of ${idle.join(', ')}; see \`anode lsp list\``,
    },
  ]
}

async function grammar(): Promise<Check> {
  const { analyze } = await import('../policy/shell/analyze.ts')
  const { opaque } = await analyze('true && true')
  if (opaque === undefined) return { what: 'shell grammar', state: 'ok', detail: 'loaded' }
  return { what: 'shell grammar', state: 'broken', detail: `${opaque}; every command line asks` }
}
