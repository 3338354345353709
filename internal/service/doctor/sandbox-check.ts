// Check of the sandbox for `anode doctor`: whether it works on this machine, and if not, how to enable it.
import { basename } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import { createRunner } from '../../process/run-command.ts'
import { readConfiguredServers } from '../../runtime/extensions/configured-servers.ts'
import { readPluginSettings } from '../../runtime/extensions/plugins.ts'
import { loadServerEntries } from '../../runtime/extensions/started-language-servers.ts'
import { examineSandbox } from '../../runtime/processes/session-sandbox.ts'
import { readWorkspaceContext, type WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { SandboxMode } from '../../sandbox/sandbox.ts'
import type { DoctorCheck, DoctorTarget } from './doctor-check.ts'
import { unconfinedRights } from './unconfined-commands.ts'

const what = 'sandbox'

/**
 * Checks the sandbox by starting one, without cached results. If it works and is not turned off, also lists
 * the programs that run in it and those that run outside it.
 */
export async function checkSandbox({ cwd, env }: DoctorTarget): Promise<DoctorCheck[]> {
  const context = await readWorkspaceContext(cwd, env)
  const mode = context.loaded.config.sandbox ?? 'auto'
  const support = await checkSupport(mode, env)
  if (support.state !== 'ok' || mode === 'off') return [support]
  return [support, { what, state: 'ok', detail: await listSandboxes(context) }]
}

/** Lists the programs that run in the sandbox here, and those that run outside it. */
async function listSandboxes(context: WorkspaceContext): Promise<string> {
  const servers = (await readConfiguredServers(context)).servers
    .filter(({ settings }) => settings.disabled !== true && settings.command !== undefined)
    .map(({ name, origin, settings }) => ({
      what: `mcp ${name}`,
      isSandboxed: origin === 'workspace' || settings.sandbox !== undefined,
    }))
  const paths = context.loaded.config.plugins?.paths ?? []
  const plugins = readPluginSettings(context, paths).settings.map(({ path, sandbox }) => ({
    what: `plugin ${basename(path)}`,
    isSandboxed: sandbox !== undefined,
  }))
  const languages = (await loadServerEntries(context)).entries.map(({ name, sandboxed, sandbox }) => ({
    what: `language server ${name}`,
    isSandboxed: sandboxed || sandbox !== undefined,
  }))
  const all = [...servers, ...plugins, ...languages]
  const named = (isSandboxed: boolean) =>
    all.filter((one) => one.isSandboxed === isSandboxed).map((one) => one.what)
  const without = named(false)
  const behind = ['commands', 'benchmarks', 'programs of the workspace', ...named(true)].join(', ')
  if (without.length === 0) return `sandboxed: ${behind}`
  return `sandboxed: ${behind}; not sandboxed until you set \`sandbox\`: ${without.join(', ')}`
}

const refusedWithoutSandbox = 'commands are refused until there is one (sandbox: require)'

async function checkSupport(mode: SandboxMode, env: DoctorTarget['env']): Promise<DoctorCheck> {
  const runner = createRunner({ dataDir: dataDir(env), env })
  try {
    const { support, fix } = await examineSandbox({ data: dataDir(env), env, run: runner.run })
    const effect = mode === 'off' ? `; it is off: ${unconfinedRights}` : ''
    const setting = (mode === 'auto' ? '' : ` (sandbox: ${mode})`) + effect
    if (support.kind === 'bubblewrap')
      return { what, state: 'ok', detail: `sandbox works (bubblewrap), ${support.program.path}${setting}` }
    if (support.kind === 'seatbelt')
      return { what, state: 'ok', detail: `sandbox works (sandbox-exec)${setting}` }
    const isRequired = mode === 'require'
    const detail = `${support.because}: ${support.detail}`
    const without = isRequired ? refusedWithoutSandbox : unconfinedRights
    return { what, state: isRequired ? 'broken' : 'missing', detail: `${detail}; ${without}; ${fix}` }
  } finally {
    await runner.close()
  }
}
