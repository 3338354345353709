// The toolset that a session requests, and the checks of tool names in rules and calls.

import { matchWildcard } from '../../policy/rules/rule-pattern.ts'
import { canonicalToolName, type ToolEntry } from '../../tool/catalog.ts'
import type { StartingServers } from '../extensions/starting-servers.ts'
import type { SessionToolset, ToolsetRequest } from './toolset-session.ts'

/**
 * Opens the requested toolset. Returns undefined, and loads no code, for the native tools
 * without a selection.
 */
export async function openRequestedToolset(
  request: ToolsetRequest,
  entries: () => readonly ToolEntry[],
): Promise<SessionToolset | undefined> {
  const { name = 'anode', only, extra } = request
  if (name === 'anode' && !only && !extra) return undefined
  return (await import('./toolset-session.ts')).openToolset(request, entries)
}

/**
 * Opens the requested toolset as `openRequestedToolset` does. If the toolset uses the custom tools in the
 * workspace's directory `tools`, they are added first.
 */
export async function openWholeToolset(
  request: ToolsetRequest,
  foreign: { addFolderTools(): Promise<void> } | undefined,
  entries: () => readonly ToolEntry[],
): Promise<SessionToolset | undefined> {
  const { name = 'anode' } = request
  if (name !== 'anode' && foreign) {
    const { loadToolset } = await import('../../toolset/index.ts')
    if ((await loadToolset(name)).policy?.customTools === 'bare') await foreign.addFolderTools()
  }
  return openRequestedToolset(request, entries)
}

/**
 * Throws UserError for a rule with a tool name of another program, and for a rule against an unknown tool,
 * which would protect nothing. Names with `__` are not checked, because tools of servers and plugins are
 * not known yet.
 */
export async function checkRuleNames(
  rules: readonly NamingRule[],
  natives: readonly { name: string }[],
  brought: readonly { name: string }[] = [],
): Promise<void> {
  const known = [...natives, ...brought].map(({ name }) => name)
  const odd = rules.filter(
    ({ tool }) => !tool.includes('__') && !known.some((name) => matchWildcard(tool, name)),
  )
  if (odd.length === 0) return
  const { refuseAdapterNames, refuseUnknownNames } = await import('./adapter-rules.ts')
  const isName = (tool: string) => /^\w+(\/\w+)?$/.test(tool) && canonicalToolName(tool) === tool
  await refuseAdapterNames(odd.map(({ tool }) => tool).filter(isName))
  refuseUnknownNames(
    odd.filter(({ action }) => action !== 'allow'),
    known,
  )
}

interface NamingRule {
  tool: string
  action?: string
  origin?: string
}

/**
 * Returns a function that explains the name of a called tool that the catalog lacks, or returns undefined.
 */
export const nameExplainer =
  (foreign: { opened: { starting: StartingServers } | undefined }) =>
  async (name: string): Promise<string | undefined> =>
    foreign.opened?.starting.explain(name) ?? explainForeignName(name)

/**
 * Returns what a name that no native tool has means in a toolset, or undefined. Loads all toolsets, so it is
 * called only after a call of an unknown tool.
 */
async function explainForeignName(name: string): Promise<string | undefined> {
  const { loadToolset, standardToolset, toolsetNames } = await import('../../toolset/index.ts')
  const { explainName } = await import('../../toolset/resolve-adapter.ts')
  const all = await Promise.all(toolsetNames.map(loadToolset))
  return explainName(name, { own: await loadToolset(standardToolset), all, natives: [] })
}
