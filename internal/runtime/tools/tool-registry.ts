// Registry of tools of all origins. It hides those that a profile or the settings disable.
import { readPrebuilt } from '../../base/dirs.ts'
import { once } from '../../base/once.ts'
import { shellTools } from '../../policy/tool-deeds.ts'
import type { Profile } from '../../profile/profile.ts'
import { filterTools, type ToolVisibility } from '../../profile/tool-filter.ts'
import {
  canonicalToolName,
  type ListedTool,
  type ToolDescription,
  type ToolEntry,
} from '../../tool/catalog.ts'
import type { Tool } from '../../tool/tool.ts'
import { nativeTools } from '../../tools/index.ts'

/** Returns the native tools. Their descriptions come from the build if possible, so the tools do not load. */
export async function loadNativeEntries(): Promise<ToolEntry[]> {
  const descriptions = readPrebuilt('catalog.json') as ToolDescription[] | undefined
  return (descriptions ?? (await describeNatives())).map((description) => ({
    ...description,
    load: once(nativeTools[description.name] as () => Promise<Tool>),
  }))
}

/** Loads every native tool and returns its description. The build writes the descriptions to catalog.json. */
export async function describeNatives(): Promise<ToolDescription[]> {
  const { toToolDescription } = await import('../../tool/describe.ts')
  return Promise.all(
    Object.values(nativeTools).map(async (load) => toToolDescription(await load(), 'native')),
  )
}

/**
 * Returns a function that caches the result of `make`. It calls `make` again only if `registry`
 * returns another array.
 */
export function memoizeByEntries<T>(registry: () => readonly ToolEntry[], make: () => T): () => T {
  let lastEntries: readonly ToolEntry[] | undefined
  let value: T
  return () => {
    const now = registry()
    if (now !== lastEntries) value = make()
    lastEntries = now
    return value
  }
}

/**
 * Returns true if all `names` are native tools that start no agents. Then the caller need not open servers,
 * plugins and custom tools.
 */
export function areNativeTools(names: readonly string[], entries: readonly ToolEntry[]): boolean {
  return names.every((name) => {
    const entry = entries.find((one) => one.name === canonicalToolName(name))
    // a tool that starts a subagent is excluded, because a subagent may call any tool
    return entry !== undefined && !entry.spawns
  })
}

/**
 * Returns true if one of the tools in `names` needs or uses an optional capability, such as a language
 * server. Returns true without `names`, because any tool may then be called.
 */
export function mayNeedCapability(
  names: readonly string[] | undefined,
  entries: readonly ToolEntry[],
): boolean {
  if (names === undefined) return true
  return entries.some((entry) => (entry.needs ?? entry.uses) !== undefined && names.includes(entry.name))
}

export interface ToolRestrictions {
  /** The profile whose tools are listed. Default: the whole registry without disabled tools. */
  profile: Profile | undefined
  disabled: readonly string[]
  web: boolean
  /**
   * Names of optional tools that this session offers if the profile allows them. Other optional tools are
   * offered only if the profile names them.
   */
  extra?: readonly string[]
  /**
   * Returns true if the capability `need` is available, otherwise the reason why not. Called only when the
   * field `hidden` of a tool that needs it is read.
   */
  has?(need: 'lsp'): true | string
}

const everything: Pick<Profile, 'name' | 'tools' | 'readOnly'> = {
  name: 'none',
  tools: ['*', '*__*'],
  readOnly: false,
}

export function visibleTools(entries: readonly ToolEntry[], filter: ToolRestrictions): ListedTool[] {
  const judged = filterTools(
    (filter.profile ?? everything) as Profile,
    entries.map(({ name, level, unusable }) => ({ name, level, available: unusable || undefined })),
    { disabled: filter.disabled, implied: findImpliedTools(filter.disabled), web: filter.web },
  )
  return entries.map((entry, i) => {
    const hidden = reasonOf(judged[i]) ?? whyNotOffered(entry, judged[i], filter)
    const { needs } = entry
    if (hidden !== undefined || needs === undefined) return { ...entry, hidden }
    return {
      ...entry,
      get hidden() {
        const there = filter.has?.(needs) ?? true
        return there === true ? undefined : there
      },
    }
  })
}

/**
 * Returns the other shell tools that a disabled `bash` disables too, each with the pattern in the settings.
 */
const findImpliedTools = (disabled: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    disabled.flatMap((pattern) =>
      shellTools((name) => globOf(pattern).test(name)).map((tool) => [tool, pattern] as const),
    ),
  )

/**
 * Returns the reason why a model does not get a tool that is offered only in some sessions; undefined if it
 * gets the tool. A caller without a profile gets all tools.
 */
function whyNotOffered(
  { name, optional }: ToolEntry,
  visible: ToolVisibility | undefined,
  { profile, extra }: ToolRestrictions,
): string | undefined {
  if (!optional || !profile || visible?.named || extra?.includes(name)) return undefined
  return `optional: a profile offers it where its tools name anode__${name}`
}

/**
 * Returns the pattern as a regular expression: `*` is any run of characters, `?` is one. Tool names of other
 * programs map to the native name.
 */
export function globOf(pattern: string): RegExp {
  const source = canonicalToolName(pattern)
    .replace(/[.+^$(){}|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`)
}

/**
 * Returns the tools, with those hidden that `only` does not name, and for a subagent those that start agents
 * or are only for the main agent.
 */
export function restrictTools(
  entries: readonly ListedTool[],
  only: readonly string[] | undefined,
  child: boolean,
): ListedTool[] {
  if (only === undefined && !child) return [...entries]
  const allowed = only?.map(globOf)
  return entries.map((entry) => {
    if (entry.hidden !== undefined) return entry
    if (child && entry.spawns) return { ...entry, hidden: 'a child agent cannot start agents' }
    if (child && entry.mainOnly) return { ...entry, hidden: 'only for the main agent' }
    if (allowed && !allowed.some((pattern) => pattern.test(entry.name)))
      return { ...entry, hidden: 'not among the tools asked for' }
    return entry
  })
}

function reasonOf(visible: ToolVisibility | undefined): string | undefined {
  return visible?.shown === false ? visible.reason : undefined
}
