// Checks of `anode doctor`, each with its result and the way to correct a problem.
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDir, dataDir } from '../../base/dirs.ts'
import { messageOf } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { explainOwnDirectory } from '../../base/files/own-directories.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { loadHooks } from '../../hook/hooks-file.ts'
import { analyzeLine } from '../../policy/shell/line-analysis.ts'
import { findUnmatchedDisabled } from '../../profile/unmatched-tools.ts'
import { loadNativeEntries } from '../../runtime/tools/tool-registry.ts'
import { droppedPathEntries } from '../../runtime/workspace/program-path.ts'
import {
  listHookFiles,
  loadWorkspaceProfiles,
  openWorkspaceSkills,
  readWorkspaceContext,
} from '../../runtime/workspace/workspace.ts'
import { openStore } from '../../store/sqlite.ts'
import { readTrustState } from '../../trust/trust.ts'
import { openDirectCalls } from '../calls/direct-call.ts'
import { describeMcpServer, withMcpServers } from '../mcp/mcp-servers.ts'
import { readModelOverview } from '../models/model-overview.ts'
import { diagnoseSettings } from './config-doctor.ts'
import type { DoctorCheck, DoctorTarget } from './doctor-check.ts'
import { listLanguageServers } from './language-server-check.ts'
import { checkSandbox } from './sandbox-check.ts'
import { checkLocalServers, checkRedis, checkWebSearch } from './service-checks.ts'
import { findStrayHooks } from './stray-hooks.ts'

/** Runs every check in a fixed order. A check that throws becomes a broken line. */
export async function runDoctorChecks(where: DoctorTarget): Promise<DoctorCheck[]> {
  const checks: DoctorCheck[] = [
    { what: 'node', state: 'ok', detail: `${process.version} ${process.platform} ${process.arch}` },
  ]
  const attempt = async (what: string, check: CheckFunction) => {
    try {
      checks.push(...[await check()].flat())
    } catch (error) {
      checks.push({
        what,
        state: 'broken',
        detail: messageOf(explainOwnDirectory(error, where.env) ?? error),
      })
    }
  }
  await attempt('configuration', () => checkConfiguration(where))
  await attempt('PATH', checkProgramPath)
  await attempt('data directory', () => checkStorage(where))
  await attempt('database', () => checkDatabase(where))
  // checks that need a data directory use a temporary one if the real one is unusable
  const isUsable = !checks.some(({ what, state }) => what === 'data directory' && state === 'broken')
  const spare = isUsable ? undefined : mkdtempSync(join(tmpdir(), 'anode-doctor-'))
  const rest = spare === undefined ? where : { ...where, env: { ...where.env, ANODE_DATA_DIR: spare } }
  try {
    await checkMachine(rest, attempt)
  } finally {
    if (spare !== undefined) rmSync(spare, { recursive: true, force: true })
  }
  return checks
}

/** Returns the directories of PATH from which this process does not start programs. */
async function checkProgramPath(): Promise<DoctorCheck[]> {
  return droppedPathEntries().map(({ path, why }) => ({
    what: 'PATH',
    state: 'warning' as const,
    detail: `programs of "${path}" are not used: ${why}`,
  }))
}

type CheckFunction = () => Promise<DoctorCheck | DoctorCheck[]> | DoctorCheck | DoctorCheck[]

async function checkMachine(
  where: DoctorTarget,
  attempt: (what: string, check: CheckFunction) => Promise<void>,
): Promise<void> {
  await attempt('workspace', () => checkWorkspace(where))
  await attempt('model', () => checkModel(where))
  await attempt('local models', () => checkLocalServers(where))
  await attempt('web search', () => checkWebSearch(where))
  await attempt('redis', () => checkRedis(where))
  await attempt('pictures', checkPictures)
  await attempt('hooks', () => checkHooks(where))
  await attempt('programs', () => checkPrograms(where))
  await attempt('sandbox', () => checkSandbox(where))
  await attempt('language servers', () => checkLanguageServers(where))
  await attempt('mcp', () => checkMcpServers(where))
  await attempt('shell grammar', checkGrammar)
}

async function checkConfiguration({ env, cwd }: DoctorTarget): Promise<DoctorCheck[]> {
  const findings = await diagnoseSettings({ cwd, env })
  if (findings.length === 0) return [{ what: 'configuration', state: 'ok', detail: 'valid' }]
  return findings.map(({ path, severity, text }) => ({
    what: 'configuration',
    state: severity === 'error' ? 'broken' : 'warning',
    detail: `${path}: ${text}`,
  }))
}

function checkStorage({ env }: DoctorTarget): DoctorCheck {
  const dir = dataDir(env)
  makeDirectory(dir, 0o700)
  accessSync(dir, constants.W_OK)
  const { bavail, bsize } = statfsSync(dir)
  const free = Math.floor((bavail * bsize) / 2 ** 20)
  return { what: 'data directory', state: free < 100 ? 'broken' : 'ok', detail: `${dir}, ${free} MiB free` }
}

async function checkDatabase({ env }: DoctorTarget): Promise<DoctorCheck> {
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

async function checkWorkspace({ cwd, env }: DoctorTarget): Promise<DoctorCheck[]> {
  const context = await readWorkspaceContext(cwd, env)
  const profiles = await loadWorkspaceProfiles(context)
  const skills = await openWorkspaceSkills(context)
  const problems = [...profiles.diagnostics, ...(await skills.set()).diagnostics].map(
    (problem): DoctorCheck => ({
      what: 'extension',
      state: 'broken',
      detail: `${problem.where}: ${problem.message}`,
    }),
  )
  const { state, files } = readTrustState(context.workspace, context.data, configDir(env))
  const trust =
    files.length === 0
      ? 'brings nothing that needs trust'
      : state === 'trusted'
        ? 'trusted'
        : `what it brings (${files.join(', ')}) is not in use: see \`anode trust --status\``
  return [{ what: 'workspace', state: 'ok', detail: `${context.workspace}, ${trust}` }, ...problems]
}

/** Returns the model of a run and each found key, or one line if no model is set up. Sends nothing. */
async function checkModel({ cwd, env }: DoctorTarget): Promise<DoctorCheck[]> {
  const { chosen: chosenModel, problem, providers } = readModelOverview(await readWorkspaceContext(cwd, env))
  const keys = providers.filter(({ key, missing }) => key !== undefined && key !== 'none needed' && !missing)
  const keyChecks = keys.map(({ provider, key }): DoctorCheck => {
    return { what: `key of ${provider}`, state: 'ok', detail: `from ${key}` }
  })
  if (!chosenModel) {
    const detail =
      'no key was found: `anode login PROVIDER` stores one, `anode models --all` names the variables'
    return [{ what: 'model', state: 'missing', detail }]
  }
  const { model, because, address } = chosenModel
  if (problem)
    return [{ what: 'model', state: 'broken', detail: `${model} (${because}): ${problem}` }, ...keyChecks]
  return [
    { what: 'model', state: 'ok', detail: `${model} at ${address || 'this machine'} (${because})` },
    ...keyChecks,
  ]
}

async function checkPictures(): Promise<DoctorCheck> {
  try {
    await import('sharp')
    return { what: 'pictures', state: 'ok', detail: 'large images are scaled down for models' }
  } catch {
    const detail = 'large images are not sent; fix: `npm i -g sharp`'
    return { what: 'pictures', state: 'missing', detail }
  }
}

async function checkHooks({ cwd, env }: DoctorTarget): Promise<DoctorCheck[]> {
  const context = await readWorkspaceContext(cwd, env)
  const paths = listHookFiles(context)
  const stray = findStrayHooks(context).map((path): DoctorCheck => {
    const places = 'to .anode/hooks.json, or to hooks.json next to your configuration'
    const detail = `${path} is not read: move it ${places}`
    return { what: 'hooks', state: 'warning', detail }
  })
  if (paths.length === 0) return stray
  const { hooks: loadedHooks, diagnostics } = await loadHooks(
    paths,
    (await loadNativeEntries()).map(({ name }) => name),
  )
  const problems = diagnostics.map(({ severity, where, message }): DoctorCheck => {
    return {
      what: 'hooks',
      state: severity === 'error' ? 'broken' : 'warning',
      detail: `${where}: ${message}`,
    }
  })
  return [
    { what: 'hooks', state: 'ok', detail: `${loadedHooks.length} from ${paths.join(', ')}` },
    ...problems,
    ...stray,
  ]
}

/** Returns the stored state of the MCP servers. An earlier check has started servers with unknown tools. */
async function checkMcpServers(where: DoctorTarget): Promise<DoctorCheck[]> {
  return withMcpServers(where, async ({ servers }) =>
    servers.members.map(describeMcpServer).map(({ name, state, detail }): DoctorCheck => {
      const isBroken = state === 'failed' || state === 'changed'
      return { what: `mcp ${name}`, state: isBroken ? 'broken' : 'ok', detail }
    }),
  )
}

async function checkPrograms({ cwd, env, signal }: DoctorTarget): Promise<DoctorCheck[]> {
  const { config, notes: reported } = (await readWorkspaceContext(cwd, env)).loaded
  const session = await openDirectCalls({
    cwd,
    env,
    signal,
    mode: 'ask',
    approval: 'none',
    addDirs: [],
    record: 'changes',
    toolset: { name: 'anode' },
    terminal: undefined,
  })
  try {
    const notes = session.notes
      // the checks of servers and of the configuration report these notes
      .filter((note) => !note.startsWith('MCP server ') && !reported.includes(note))
      .map((note): DoctorCheck => ({ what: 'tools', state: 'broken', detail: note }))
    const names = session.catalog.entries.map(({ name }) => name)
    // names of native tools are left out, because the configuration check reports them
    const foreign = (config.tools?.disabled ?? []).filter((name) => name.includes('__'))
    const unmatched = findUnmatchedDisabled(foreign, names).map((detail): DoctorCheck => {
      return { what: 'configuration', state: 'warning', detail }
    })
    const run = session.ctx.can.processes.run
    const version = async (file: string, args: string[], without: string): Promise<DoctorCheck> => {
      try {
        // the program runs in `/`, because some programs read settings of the directory in which they start
        const done = await run?.({ file, args, cwd: '/', timeoutMs: 5_000 })
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
      ...unmatched,
      await version('git', ['--version'], 'diffs and experiments need it'),
      await version('bash', ['--version'], 'the tool bash needs it'),
      await version('ctags', ['--version'], 'finder falls back to a pattern search for symbols'),
    ]
  } finally {
    await session.close()
  }
}

/** Returns a line for each ready or broken language server and one for the missing ones. Starts none. */
async function checkLanguageServers(where: DoctorTarget): Promise<DoctorCheck[]> {
  const rows = await listLanguageServers(where)
  const isUnused = ({ state }: { state: string }) => state === 'idle' || state === 'not installed'
  const idle = rows.filter(isUnused).map(({ name }) => name)
  const checks = rows
    .filter((row) => !isUnused(row))
    .map(({ name, state, detail, command }): DoctorCheck => {
      const text = state === 'ready' ? `${name}: ${command}` : `${name}: ${detail}`
      return { what: 'language server', state: state === 'ready' ? 'ok' : 'broken', detail: text }
    })
  const missing = rows.filter(({ install }) => install !== undefined)
  if (missing.length > 0) {
    const detail = missing
      .map(({ name, needed, install }) => `${name} (${countNoun(needed, 'file')}): ${install}`)
      .join('; ')
    return [...checks, { what: 'language server', state: 'missing', detail: `needed here: ${detail}` }]
  }
  if (checks.length > 0 || idle.length === 0) return checks
  return [
    {
      what: 'language server',
      state: 'missing',
      detail: `none of ${idle.join(', ')}; see \`anode lsp list\``,
    },
  ]
}

async function checkGrammar(): Promise<DoctorCheck> {
  const { opaque } = await analyzeLine('true && true')
  if (opaque === undefined) return { what: 'shell grammar', state: 'ok', detail: 'loaded' }
  return { what: 'shell grammar', state: 'broken', detail: `${opaque}; every command line asks` }
}
