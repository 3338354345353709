// Joins the tools of every origin into one catalogue and hides what a profile or the settings take away.
import { UserError } from '../base/errors.ts'
import { readPrebuilt } from '../base/files/prebuilt-files.ts'
import { once } from '../base/once.ts'
import { suggestNames } from '../base/text/name-suggestion.ts'
import type { Profile } from '../profile/profile.ts'
import { filterTools, type ToolVisibility } from '../profile/tool-filter.ts'
import { canonicalToolName, type ListedTool, type ToolDescription, type ToolEntry } from '../tool/catalog.ts'
import type { Tool } from '../tool/tool.ts'
import { nativeTools } from '../tools/index.ts'

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

/** Whether one of these tools needs what is not always there; without names any may be called. */
export function mayNeedCapability(
  names: readonly string[] | undefined,
  entries: readonly ToolEntry[],
): boolean {
  if (names === undefined) return true
  return entries.some((entry) => entry.needs !== undefined && names.includes(entry.name))
}

interface ToolRestrictions {
  /** Absent: the whole registry, less what is disabled. */
  profile: Profile | undefined
  disabled: readonly string[]
  web: boolean
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
    entries.map(({ name, level, unusable }) => ({ name, level, ...(unusable && { available: unusable }) })),
    { disabled: filter.disabled, web: filter.web },
  )
  return entries.map((entry, i) => {
    const hidden = reasonOf(judged[i])
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

/** Throws UserError for names and globs that match no tool, with the nearest names. */
export function checkToolNames(wanted: readonly string[] | undefined, entries: readonly ToolEntry[]): void {
  const names = entries.map(({ name }) => name)
  const lost = (wanted ?? []).filter((pattern) => !names.some((name) => globOf(pattern).test(name)))
  if (lost.length === 0) return
  const near = lost
    .map((pattern) => suggestNames(pattern.toLowerCase().replaceAll('-', '_'), names))
    .find(Boolean)
  throw new UserError(`--allow-tool ${lost.join(', ')}: there is no such tool`, {
    hint: near ? `${near} (all: anode tools list --all)` : 'see `anode tools list --all`',
  })
}

/** `*` is any run of characters, `?` one; a spelling known from elsewhere stands for the tool. */
function globOf(pattern: string): RegExp {
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
