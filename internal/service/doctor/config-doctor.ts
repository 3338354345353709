// Check of the configuration for `anode doctor`: first errors in each file, then values that name missing
// things, such as tools.
import { UserError } from '../../base/errors.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { type ConfigFinding, diagnoseConfig } from '../../config/config-doctor.ts'
import { serverOf } from '../../mcp/config/server-config.ts'
import { findUnmatchedDisabled } from '../../profile/unmatched-tools.ts'
import { mcpServerContext, readConfiguredServers } from '../../runtime/extensions/configured-servers.ts'
import { loadNativeEntries } from '../../runtime/tools/tool-registry.ts'
import { checkRuleNames } from '../../runtime/toolset/requested-toolset.ts'
import { filesOfSetting } from '../../runtime/workspace/setting-files.ts'
import {
  loadWorkspaceProfiles,
  readWorkspaceContext,
  type WorkspaceContext,
} from '../../runtime/workspace/workspace.ts'
import { buildKeyMap } from '../../tui/input/key-map.ts'

interface WorkspacePlace {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
}

/**
 * Returns the problems of the configuration, without starting anything. If a file has an error, only problems
 * of the files are returned. `names` are the names of the registered tools. Default: those of the native
 * tools, which are known without starting servers.
 */
export async function diagnoseSettings(
  { cwd, env }: WorkspacePlace,
  names?: readonly string[],
): Promise<ConfigFinding[]> {
  const findings = await diagnoseConfig({ env, workspace: cwd })
  // the values of files with errors are not in use, so they are not checked further
  if (findings.some(({ severity }) => severity === 'error')) return findings
  const context = await readWorkspaceContext(cwd, env)
  return [
    ...findings,
    ...(await ruleFindings(context)),
    ...(await profileFindings(context)),
    ...(await disabledFindings(context, names)),
    ...(await serverFindings(context)),
    ...keyFindings(context),
  ]
}

/**
 * Returns a finding for each MCP server whose configuration no session can use, except disabled servers.
 * Starts no server.
 */
async function serverFindings(context: WorkspaceContext): Promise<ConfigFinding[]> {
  const { servers } = await readConfiguredServers(context)
  const scope = mcpServerContext(context)
  return servers.flatMap((declared): ConfigFinding[] => {
    if (declared.settings.disabled === true) return []
    try {
      serverOf(declared, scope)
      return []
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      const text = `MCP server ${declared.name}: ${error.message}`
      return [{ path: declared.path, severity: 'error', text }]
    }
  })
}

/**
 * Returns a finding for the first permission rule with an unknown tool name. Such a rule prevents the start
 * of every session.
 */
async function ruleFindings({ loaded, workspace }: WorkspaceContext): Promise<ConfigFinding[]> {
  const rules = loaded.config.permissions ?? []
  try {
    if (rules.length > 0) await checkRuleNames(rules, await loadNativeEntries())
    return []
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const text = error.hint ? `${error.message}; ${error.hint}` : error.message
    return [{ path: loaded.origins.get('permissions') ?? workspace, severity: 'error', text }]
  }
}

async function profileFindings(context: WorkspaceContext): Promise<ConfigFinding[]> {
  const { all, aliases, broken, diagnostics } = await loadWorkspaceProfiles(context)
  // profiles in files are left out, because they have a separate line in `anode doctor`
  const findings = diagnostics
    .filter(({ where }) => where.startsWith('profiles.'))
    .map(({ where, message, severity }): ConfigFinding => {
      return { path: fileOf(context, where), severity, text: `${where}: ${message}` }
    })
  const { profile } = context.loaded.config
  const profileNames = [...all.map(({ name }) => name), ...aliases.keys()]
  if (profile !== undefined && !profileNames.includes(profile) && !broken.has(profile)) {
    const text =
      `profile: unknown profile "${profile}"; ` +
      `${suggestNames(profile, profileNames) || 'see `anode profiles list`'}`
    findings.push({ path: fileOf(context, 'profile'), severity: 'error', text })
  }
  return findings
}

async function disabledFindings(
  context: WorkspaceContext,
  names?: readonly string[],
): Promise<ConfigFinding[]> {
  const disabled = context.loaded.config.tools?.disabled ?? []
  if (disabled.length === 0) return []
  const registered = names ?? (await loadNativeEntries()).map(({ name }) => name)
  const path = fileOf(context, 'tools.disabled')
  return findUnmatchedDisabled(disabled, registered).map(
    (text): ConfigFinding => ({ path, severity: 'warning', text }),
  )
}

/** Returns a finding for each problem of the key bindings, which prevents a session from starting. */
function keyFindings(context: WorkspaceContext): ConfigFinding[] {
  const built = buildKeyMap(context.loaded.config.ui?.keys)
  const path = fileOf(context, 'ui.keys')
  return built.kind === 'map' ? [] : built.problems.map((text) => ({ path, severity: 'error', text }))
}

const fileOf = ({ loaded }: WorkspaceContext, key: string) =>
  filesOfSetting(loaded.origins, key)[0] ?? 'configuration'
