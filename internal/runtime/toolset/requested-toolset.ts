// The toolset that a session or thread requests, and the checks of tool names in rules, calls and flags.

import { UserError } from '../../base/errors.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { matchWildcard } from '../../policy/rules/rule-match.ts'
import { canonicalToolName, type ToolEntry } from '../../tool/catalog.ts'
import type { StartingServers } from '../extensions/starting-servers.ts'
import { globOf } from '../tools/tool-registry.ts'
import type { SessionToolset, ToolsetRequest } from './toolset-session.ts'

const loadToolsetSession = () => import('./toolset-session.ts')
const loadAdapterRules = () => import('./adapter-rules.ts')

/**
 * Opens the requested toolset. Returns undefined, and loads no code, if the request is for the native tools
 * and selects none of them.
 */
export async function openRequestedToolset(
  request: ToolsetRequest,
  entries: () => readonly ToolEntry[],
): Promise<SessionToolset | undefined> {
  const { name = 'anode', only, extra } = request
  if (name === 'anode' && !only && !extra) return undefined
  return (await loadToolsetSession()).openToolset(request, entries)
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
    const { usesFolderTools } = await loadToolsetSession()
    if (await usesFolderTools(name)) await foreign.addFolderTools()
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
  const knownNames = [...natives, ...brought].map(({ name }) => name)
  const odd = rules.filter(
    ({ tool }) => !tool.includes('__') && !knownNames.some((name) => matchWildcard(tool, name)),
  )
  if (odd.length === 0) return
  const { refuseAdapterNames, refuseUnknownNames } = await loadAdapterRules()
  const isName = (tool: string) => /^\w+(\/\w+)?$/.test(tool) && canonicalToolName(tool) === tool
  await refuseAdapterNames(odd.map(({ tool }) => tool).filter(isName))
  refuseUnknownNames(
    odd.filter(({ action }) => action !== 'allow'),
    knownNames,
  )
}

interface NamingRule {
  tool: string
  action?: string
  origin?: string
}

/**
 * Returns a function that explains the name of a tool that the model called and that does not exist in the
 * session; undefined for an unknown name.
 */
export const nameExplainer =
  (foreign: { opened: { starting: StartingServers | undefined } | undefined }) =>
  async (name: string): Promise<string | undefined> =>
    foreign.opened?.starting?.explain(name) ?? (await loadAdapterRules()).explainForeignName(name)

interface ToolsetChoice {
  /** Toolset that the user named. */
  asked: string | undefined
  /** Toolset that the thread has used so far; undefined for a new thread. */
  before?: { toolset?: string } | undefined
  profile: { toolset?: string | undefined }
  config: { toolset?: string | undefined }
}

/**
 * Returns the toolset of the thread; for a new one, that of the request, the profile or the configuration, or
 * `anode`. Throws UserError if the request differs from the thread's toolset.
 */
export function chooseThreadToolset({
  asked: requestedToolset,
  before,
  profile,
  config,
}: ToolsetChoice): string {
  if (!before) return requestedToolset ?? profile.toolset ?? config.toolset ?? 'anode'
  const threadToolset = before.toolset ?? 'anode'
  if (requestedToolset === undefined || requestedToolset === threadToolset) return threadToolset
  throw new UserError(`the thread works with the toolset ${threadToolset}, not with ${requestedToolset}`, {
    hint: `leave out --toolset, or begin a new thread`,
  })
}

/** Throws UserError if a model that knows only native tools is used with another toolset. */
export function checkToolsetModel(model: { kind: string; id: string }, isNative: boolean): void {
  if (model.kind !== 'rules' || isNative) return
  throw new UserError(`${model.id} works with the tools of anode alone`, { hint: 'add --toolset anode' })
}

interface NamedTools {
  entries(): readonly { name: string }[]
  foreign: { opened: { starting: StartingServers | undefined } | undefined }
}

/** Waits for servers that start in the background if `toolNames` names a tool that only they can have. */
export async function awaitNamedTools(
  toolNames: readonly string[] | undefined,
  { entries, foreign }: NamedTools,
  signal: AbortSignal,
): Promise<void> {
  for (const tool of toolNames ?? []) {
    const isOpen = tool.startsWith('mcp__') && !tool.includes('*')
    if (isOpen && !entries().some(({ name }) => name === tool))
      await foreign.opened?.starting?.wait(tool, signal)
  }
}

/**
 * Throws UserError for names and globs that match no tool, and suggests similar names. Globs for tools of
 * servers and plugins are not checked.
 */
export function checkToolNames(patterns: readonly string[] | undefined, names: readonly string[]): void {
  // A pattern for tools of servers and plugins may match no tool yet.
  const isForeignGlob = (pattern: string) => pattern.includes('__') && pattern.includes('*')
  const lost = (patterns ?? []).filter(
    (pattern) => !isForeignGlob(pattern) && !names.some((name) => globOf(pattern).test(name)),
  )
  if (lost.length === 0) return
  const near = lost
    .map((pattern) => suggestNames(pattern.toLowerCase().replaceAll('-', '_'), names))
    .find(Boolean)
  throw new UserError(`--allow-tool ${lost.join(', ')}: unknown tool`, {
    hint: near ? `${near} (all: anode tools list --all)` : 'see `anode tools list --all`',
  })
}
