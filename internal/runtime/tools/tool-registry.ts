// Joins the tools of every origin into one catalogue and hides what a profile or the settings take away.
import { readPrebuilt } from '../../base/files/prebuilt-files.ts'
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

/** Native tools, described without loading them where the build has done it. */
export async function loadNativeEntries(): Promise<ToolEntry[]> {
  const made = readPrebuilt('catalog.json') as ToolDescription[] | undefined
  return (made ?? (await (await import('./tool-descriptions.ts')).describeNatives())).map((description) => ({
    ...description,
    load: once(nativeTools[description.name] as () => Promise<Tool>),
  }))
}

/** What `make` gives, made anew only when the registry has changed. */
export function memoizeByEntries<T>(registry: () => readonly ToolEntry[], make: () => T): () => T {
  let lastEntries: readonly ToolEntry[] | undefined
  let made: T
  return () => {
    const now = registry()
    if (now !== lastEntries) made = make()
    lastEntries = now
    return made
  }
}

/** Whether tools of other origins cannot matter to somebody who will call only these. */
export function areNativeTools(names: readonly string[], entries: readonly ToolEntry[]): boolean {
  return names.every((name) => {
    const entry = entries.find((one) => one.name === canonicalToolName(name))
    // an agent that is started may call anything
    return entry !== undefined && !entry.spawns
  })
}

/** Whether one of these tools needs or uses what is not always there; without names any may be called. */
export function mayNeedCapability(
  names: readonly string[] | undefined,
  entries: readonly ToolEntry[],
): boolean {
  if (names === undefined) return true
  return entries.some((entry) => (entry.needs ?? entry.uses) !== undefined && names.includes(entry.name))
}

export interface ToolRestrictions {
  /** Absent: the whole registry, less what is disabled. */
  profile: Profile | undefined
  disabled: readonly string[]
  web: boolean
  /** Optional tools that this session offers, if the profile allows them. */
  extra?: readonly string[]
  /** Why what some tools need is not there, or true; asked only when somebody looks at such a tool. */
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

/** Without `bash` there is no other way to a shell either: the entries by the names of those tools. */
const findImpliedTools = (disabled: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    disabled.flatMap((pattern) =>
      shellTools((name) => globOf(pattern).test(name)).map((tool) => [tool, pattern] as const),
    ),
  )

/** Whoever calls without a profile knows what there is; a model is told of optional tools that it needs. */
function whyNotOffered(
  { name, optional }: ToolEntry,
  visible: ToolVisibility | undefined,
  { profile, extra }: ToolRestrictions,
): string | undefined {
  if (!optional || !profile || visible?.named || extra?.includes(name)) return undefined
  return `optional: a profile offers it where its tools name anode__${name}`
}

/** `*` is any run of characters, `?` one; a spelling known from elsewhere stands for the tool. */
export function globOf(pattern: string): RegExp {
  const source = canonicalToolName(pattern)
    .replace(/[.+^$(){}|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`)
}

/** Hides what was not asked for, and from a child whatever starts agents. */
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
    if (allowed && !allowed.some((pattern) => pattern.test(entry.name)))
      return { ...entry, hidden: 'not among the tools asked for' }
    return entry
  })
}

function reasonOf(visible: ToolVisibility | undefined): string | undefined {
  return visible?.shown === false ? visible.reason : undefined
}
