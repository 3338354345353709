// Toolset of a session: tools with the names of another program (adapters), limited by the profile
// and the settings.
import { UserError } from '../../base/errors.ts'
import type { AdapterCatalogParts, ListedTool, ToolEntry } from '../../tool/catalog.ts'
import { variantOf } from '../../tools/variants/index.ts'
import {
  type AdapterSelection,
  bareEntry,
  listAdapterEntries,
  neededTools,
} from '../../toolset/adapter-entries.ts'
import { loadToolset, standardToolset, toolsetNames } from '../../toolset/index.ts'
import {
  adaptersOf,
  bareName,
  explainName,
  findNativeName,
  type NameSpace,
  type OwnedAdapter,
  resolveName,
} from '../../toolset/resolve-adapter.ts'
import type { ToolsetDefinition, ToolsetPolicy } from '../../toolset/toolset.ts'
import { restrictTools, type ToolRestrictions, visibleTools } from '../tools/tool-registry.ts'

/** Options of the user for the tools of a session. */
export interface ToolsetRequest extends AdapterSelection {
  name?: string | undefined
  /** Tools that a host program, which uses Anode as a library, provides. */
  brought?: readonly BroughtTool[] | undefined
}

export interface BroughtTool extends ToolEntry {
  /** Name by which a model calls the tool. `name` has a prefix, for rules and records. */
  calledAs: string
}

/** The agent whose tools are listed: its limits, the tools in its request, and whether it is a subagent. */
interface AdapterAudience {
  restrictions: ToolRestrictions
  only: readonly string[] | undefined
  child: boolean
}

export interface SessionToolset {
  readonly name: string
  readonly policy: ToolsetPolicy
  /** Names and functions by which the tool catalog of the session finds the toolset's tools. */
  readonly catalog: AdapterCatalogParts
  /** Names of the toolset's tools with the toolset as prefix, for example `hooman__edit_file`. */
  readonly faceNames: readonly string[]
  /**
   * Returns the native tools that the tools of these names use, or undefined if the session has no tool of
   * one of the names.
   */
  nativesOf(names: readonly string[]): string[] | undefined
  list(audience: AdapterAudience): ListedTool[]
}

/**
 * Opens a toolset. Throws UserError for an unknown toolset or tool, and if both `only` and `extra` are set.
 */
export async function openToolset(
  request: ToolsetRequest,
  entries: () => readonly ToolEntry[],
): Promise<SessionToolset> {
  const { name = standardToolset, only, extra, brought = [] } = request
  if (only && extra)
    throw new UserError('--tool and --extra-tool exclude each other', { hint: 'give one of them' })
  const ownToolset = await loadToolset(name)
  const all = await Promise.all(toolsetNames.map(loadToolset))
  const names = (): NameSpace => ({ own: ownToolset, all, natives: entries().map((entry) => entry.name) })
  // names are resolved here, so that an unknown name is reported before a run starts
  for (const one of [...(only ?? []), ...(extra ?? [])]) resolveName(one, names())
  return {
    name,
    policy: ownToolset.policy ?? {},
    catalog: {
      toolset: name,
      get natives() {
        return entries()
      },
      width: ownToolset.policy?.parallel,
      explain: (toolName) => explainName(toolName, names()),
    },
    faceNames: adaptersOf(ownToolset).map(({ adapter }) => `${name}__${adapter.name}`),
    nativesOf: (toolNames) => nativesBehind(toolNames, names()),
    list: (audience) =>
      withBareNames(listTools(names(), { only, extra }, entries(), audience), ownToolset, brought),
  }
}

function nativesBehind(toolNames: readonly string[], names: NameSpace): string[] | undefined {
  const out: string[] = []
  for (const name of toolNames) {
    const adapter = adaptersOf(names.own).find((one) => one.adapter.name === name)?.adapter
    const native = findNativeName(name, names)
    if (!adapter && native === undefined) return undefined
    out.push(...(adapter ? neededTools(adapter) : [native as string]))
  }
  return out
}

/**
 * Lists the tools of a session: the toolset's adapters, the tools that the user selected, tools of
 * servers and plugins, and the native tools if the toolset has them. With `only` in `selection`, lists
 * only the selected tools.
 */
function listTools(
  names: NameSpace,
  selection: AdapterSelection,
  entries: readonly ToolEntry[],
  { restrictions, only, child }: AdapterAudience,
): ListedTool[] {
  const { profile } = restrictions
  const extra = entries.flatMap((entry) => (entry.optional ? [entry.name] : []))
  const view = (change: Partial<ToolRestrictions>, requestedTools: readonly string[] | undefined) =>
    restrictTools(visibleTools(entries, { ...restrictions, extra, ...change }), requestedTools, child)
  const withoutLimits = profile && { ...profile, tools: ['*', '*__*'] }
  const views = {
    bound: view({ profile: withoutLimits }, undefined),
    profile: view({}, undefined),
    asked: view({ profile: withoutLimits }, only),
  }
  const listed = listAdapterEntries({
    names,
    selection,
    natives: view({}, only),
    variantOf,
    hidesOptional: profile !== undefined,
    hiddenBecause: (adapter, reads) => whyHidden(adapter, reads, views, { restrictions, only, child }),
  })
  const whole = selection.only ? [] : view({ extra: restrictions.extra ?? [] }, only)
  const isNativeSet = names.own.adapters.includes('*')
  // a native tool that the session needs keeps its name if no adapter of the toolset replaces it
  const hasAdapter = (name: string) => listed.some(({ natives = [] }) => natives.includes(name))
  const isNeeded = (name: string) => (restrictions.extra?.includes(name) ?? false) && !hasAdapter(name)
  const listedNames = new Set(listed.map(({ name }) => name))
  const leftOut = (name: string) => names.own.adapters.includes(`!${name}`)
  const keptEntries = whole.filter(
    (entry) =>
      !leftOut(entry.name) &&
      (isNativeSet || entry.origin !== 'native' || isNeeded(entry.name)) &&
      !(entry.optional && listedNames.has(entry.name)),
  )
  const there = new Set(keptEntries.map(({ name }) => name))
  const added = listed.filter(({ name }) => !there.has(name))
  return isNativeSet ? [...keptEntries, ...added] : [...added, ...keptEntries]
}

/**
 * Gives tools of the host program the names that it chose. In some toolsets it also removes the prefix from
 * names of custom tools. If another tool already has the name, the prefix stays.
 */
function withBareNames(
  tools: ListedTool[],
  { name: toolset, policy }: ToolsetDefinition,
  brought: readonly BroughtTool[],
): ListedTool[] {
  const nameOf = (entry: ListedTool) =>
    brought.find(({ name }) => name === entry.name)?.calledAs ??
    (policy?.customTools === 'bare' && entry.origin === 'custom' ? bareName(entry.name) : undefined)
  if (policy?.customTools !== 'bare' && brought.length === 0) return tools
  const usedNames = new Set(tools.map(({ name }) => name))
  const pager = tools.find(({ name, natives = [name] }) => natives.includes('result'))?.name
  return tools.map((entry) => {
    const name = nameOf(entry)
    return name === undefined || usedNames.has(name) ? entry : bareEntry(entry, { name, toolset, pager })
  })
}

interface NativeViews {
  /**
   * Native tools under the limits that the user's selection of a tool cannot remove: levels, settings, and
   * that a subagent starts no agents.
   */
  bound: readonly ListedTool[]
  /** Native tools under the limits of `bound` and under those of the profile. */
  profile: readonly ListedTool[]
  /**
   * Native tools under the limits of `bound` and under those of the agent's request, without those
   * of the profile.
   */
  asked: readonly ListedTool[]
}

/**
 * Returns the reason why an adapter is hidden; undefined if it is visible. The settings, a read-only profile
 * and the profile's entry `!<name>` decide first, then the native tools that the adapter uses. A profile or
 * request that names the adapter exactly, as `hooman__edit_file`, does not limit these native tools.
 */
function whyHidden(
  owned: OwnedAdapter,
  reads: boolean,
  views: NativeViews,
  { restrictions: { profile, disabled }, only }: AdapterAudience,
): string | undefined {
  const name = `${owned.toolset}__${owned.adapter.name}`
  const hiddenIn = (view: readonly ListedTool[]) => {
    const natives = neededTools(owned.adapter)
    return view.find((one) => natives.includes(one.name) && one.hidden !== undefined)?.hidden
  }
  if (disabled.includes(name)) return `disabled by ${name} in tools.disabled`
  if (profile?.readOnly && !reads) return `the profile ${profile.name} is read-only`
  const entry = profile?.tools.findLast((one) => one === name || one === `!${name}`)
  if (entry?.startsWith('!')) return `taken out by ${entry} in the profile ${profile?.name}`
  const byProfile = entry === undefined ? hiddenIn(views.profile) : undefined
  if (only === undefined || only.includes(name)) return hiddenIn(views.bound) ?? byProfile
  return hiddenIn(views.bound) ?? byProfile ?? hiddenIn(views.asked)
}

/** Returns true if the toolset uses the custom tools in the workspace's directory `tools`. */
export const usesFolderTools = async (name: string): Promise<boolean> =>
  (await loadToolset(name)).policy?.customTools === 'bare'
