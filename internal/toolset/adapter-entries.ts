// Catalog entries of a session with a toolset: its adapters whose native tools exist, and the selected tools.
import { once } from '../base/once.ts'
import { isRead, type Level } from '../policy/level.ts'
import type { ListedTool, ToolEntry } from '../tool/catalog.ts'
import { toJsonSchema } from '../tool/describe.ts'
import type { Tool } from '../tool/tool.ts'
import { type AdapterContext, loadAdapterTool, strictestLevel } from './adapter-tool.ts'
import { describeAdapter } from './describe-mapping.ts'
import { adaptersOf, type NameSpace, type OwnedAdapter, resolveName } from './resolve-adapter.ts'
import type { AdapterTarget, ToolAdapter } from './toolset.ts'

/** The user's selection of tools: `only` replaces the toolset's defaults, `extra` extends the list. */
export interface AdapterSelection {
  /** Names of the only tools that are offered besides those in `extra`, in this order. */
  only?: readonly string[] | undefined
  /** Tools that are offered in addition to the default ones. */
  extra?: readonly string[] | undefined
}

interface AdapterEntryOptions {
  names: NameSpace
  selection: AdapterSelection
  /** The registered native tools. */
  natives: readonly ListedTool[]
  /** Returns the native tool with the parameters that only adapters set. */
  variantOf(tool: Tool): Tool
  /** True if optional adapters are hidden by default. */
  hidesOptional: boolean
  /** Returns why an adapter is hidden; undefined if it is shown. */
  hiddenBecause(adapter: OwnedAdapter, isRead: boolean): string | undefined
}

/**
 * Returns the catalog entries of a session: first all adapters of the toolset (not if `only` is set), then
 * the tools that the user selected, in the user's order. Skips tools that the session does not have, and
 * further entries with the same name. Throws UserError for an unknown name.
 */
export function listAdapterEntries(options: AdapterEntryOptions): ListedTool[] {
  const { names, selection } = options
  const requestedTools = [...(selection.only ?? []), ...(selection.extra ?? [])].map((name) =>
    resolveName(name, names),
  )
  const isAsked = ({ toolset, adapter }: OwnedAdapter) =>
    requestedTools.some((one) => one.kind === 'adapter' && one.toolset === toolset && one.adapter === adapter)
  const standard = selection.only
    ? []
    : adaptersOf(names.own).map((one) => ({ kind: 'adapter' as const, ...one }))
  const entries = new Map<string, ListedTool>()
  const context = adapterContext(options)
  for (const one of [...standard, ...requestedTools]) {
    const entry =
      one.kind === 'native'
        ? nativeEntry(one.name, options)
        : adapterEntry(one, isAsked(one), options, context)
    if (entry && !entries.has(entry.name)) entries.set(entry.name, entry)
  }
  return [...entries.values()]
}

function nativeEntry(name: string, { natives }: AdapterEntryOptions): ListedTool | undefined {
  const native = natives.find((one) => one.name === name)
  if (!native) return undefined
  const { optional: _, ...entry } = native
  return entry
}

/** Returns the catalog entry of an adapter; undefined if one of its native tools does not exist. */
function adapterEntry(
  owned: OwnedAdapter,
  isAsked: boolean,
  options: AdapterEntryOptions,
  context: Omit<AdapterContext, 'toolset'>,
): ListedTool | undefined {
  const { adapter, toolset } = owned
  const needed = neededTools(adapter).map((name) => options.natives.find((one) => one.name === name))
  if (needed.some((native) => native === undefined)) return undefined
  const natives = needed as ListedTool[]
  const level = levelOf(adapter.to, natives)
  const isOffered = isAsked || !adapter.optional
  const because = options.hiddenBecause(owned, isRead(level))
  const hidden =
    because ??
    (isOffered || !options.hidesOptional ? undefined : `optional: ask with --extra-tool ${adapter.name}`)
  return {
    name: adapter.name,
    level,
    origin: 'native',
    summary: adapter.about.split('\n', 1)[0] ?? '',
    about: adapter.about,
    schema: toJsonSchema(adapter.input),
    example: adapter.example,
    spawns: natives.some((native) => native.spawns),
    natives: natives.map(({ name }) => name),
    optional: isOffered ? undefined : true,
    hidden,
    face: describeAdapter(owned),
    load: (raw) => loadAdapterTool(adapter, raw, { ...context, toolset }),
  }
}

/** Returns a custom tool under its name without prefix. Rules and records use the name with the prefix. */
export function bareEntry(
  entry: ListedTool,
  { name, toolset, pager }: { name: string; toolset: string; pager: string | undefined },
): ListedTool {
  const alias = { toolset, name, pager, map: (args: Record<string, unknown>) => ({ args, notes: [] }) }
  return {
    ...entry,
    name,
    natives: [entry.name],
    load: async (raw) => ({ ...(await entry.load(raw)), adapter: alias }),
  }
}

/** Returns the names of the native tools that an adapter's calls may become. */
export function neededTools(adapter: ToolAdapter): string[] {
  const tools = adapter.to.flatMap(({ tool, otherwise = {} }) => [
    tool,
    ...Object.values(otherwise).flatMap((other) => other?.tool ?? []),
  ])
  return [...new Set(tools)]
}

/**
 * Returns the highest permission level that a call of the adapter has before its arguments raise the level.
 */
function levelOf(targets: readonly AdapterTarget[], natives: readonly ToolEntry[]): Level {
  return targets
    .map(({ tool, level }) =>
      strictestLevel((natives.find((one) => one.name === tool) as ToolEntry).level, level),
    )
    .reduce(strictestLevel)
}

function adapterContext({
  names,
  selection,
  natives,
  variantOf,
}: AdapterEntryOptions): Omit<AdapterContext, 'toolset'> {
  const offered = adaptersOf(names.own).filter(({ adapter }) => !adapter.optional)
  const serving = new Map<string, string>()
  for (const { adapter } of offered)
    for (const tool of neededTools(adapter)) if (!serving.has(tool)) serving.set(tool, adapter.name)
  const requestedNames = [...(selection.only ?? []), ...(selection.extra ?? [])]
  const loaders = new Map(natives.map(({ name, load }) => [name, once(async () => variantOf(await load()))]))
  return {
    tools: serving,
    nativeTools: new Set(names.natives),
    pager:
      serving.get('result') ?? requestedNames.find((name) => name === 'result' || name.endsWith('/result')),
    load: (name) => (loaders.get(name) as () => ReturnType<ToolEntry['load']>)(),
  }
}
