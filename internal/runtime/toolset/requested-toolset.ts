// Opens the toolset that a session asks for, where it asks for one.

import { matchWildcard } from '../../policy/rules/rule-pattern.ts'
import { canonicalToolName, type ToolEntry } from '../../tool/catalog.ts'
import type { StartingServers } from '../extensions/starting-servers.ts'
import type { SessionToolset, ToolsetRequest } from './toolset-session.ts'

/** The native tools as they are need nothing of what toolsets are made of. */
export async function openRequestedToolset(
  request: ToolsetRequest,
  entries: () => readonly ToolEntry[],
): Promise<SessionToolset | undefined> {
  const { name = 'anode', only, extra } = request
  if (name === 'anode' && !only && !extra) return undefined
  return (await import('./toolset-session.ts')).openToolset(request, entries)
}

/** The same, with the tools of the workspace's own folder in a toolset where they count. */
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
 * Throws UserError for a rule that names a tool as another program does, and for one that forbids a tool that
 * does not exist: it would guard nothing. Tools of servers and plugins are not known yet.
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

/** Explains names of tools that a catalog does not have, once they are called. */
export const nameExplainer =
  (foreign: { opened: { starting: StartingServers } | undefined }) =>
  async (name: string): Promise<string | undefined> =>
    foreign.opened?.starting.explain(name) ?? explainForeignName(name)

/** What a name that no native tool has is in a toolset; loads them, so only for calls that go wrong. */
async function explainForeignName(name: string): Promise<string | undefined> {
  const { loadToolset, standardToolset, toolsetNames } = await import('../../toolset/index.ts')
  const { explainName } = await import('../../toolset/resolve-adapter.ts')
  const all = await Promise.all(toolsetNames.map(loadToolset))
  return explainName(name, { own: await loadToolset(standardToolset), all, natives: [] })
}
