// Joins the tools of every origin into one catalogue and hides what a profile or the settings take away.
import { UserError } from '../base/errors.ts'
import { suggestion } from '../base/nearest.ts'
import { once } from '../base/once.ts'
import { filterTools, type Visible } from '../profile/filter.ts'
import type { Profile } from '../profile/profile.ts'
import { canonical, type Description, type Entry, type Listed } from '../tool/catalog.ts'
import type { Tool } from '../tool/tool.ts'
import { natives } from '../tools/index.ts'
import { prebuilt } from './prebuilt.ts'

/** Native tools, described without loading them where the build has done it. */
export async function nativeEntries(): Promise<Entry[]> {
  const made = prebuilt('catalog.json') as Description[] | undefined
  return (made ?? (await (await import('./describe.ts')).describeNatives())).map((description) => ({
    ...description,
    load: once(natives[description.name] as () => Promise<Tool>),
  }))
}

/** What `make` gives, made anew only when the registry has changed. */
export function follow<T>(registry: () => readonly Entry[], make: () => T): () => T {
  let seen: readonly Entry[] | undefined
  let made: T
  return () => {
    const now = registry()
    if (now !== seen) made = make()
    seen = now
    return made
  }
}

/** Whether tools of other origins cannot matter to somebody who will call only these. */
export function areNative(names: readonly string[], entries: readonly Entry[]): boolean {
  return names.every((name) => {
    const entry = entries.find((one) => one.name === canonical(name))
    // an agent that is started may call anything
    return entry !== undefined && !entry.spawns
  })
}

/** Whether one of these tools needs what is not always there; without names any may be called. */
export function mayNeed(names: readonly string[] | undefined, entries: readonly Entry[]): boolean {
  if (names === undefined) return true
  return entries.some((entry) => entry.needs !== undefined && names.includes(entry.name))
}

export interface Filter {
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

export function list(entries: readonly Entry[], filter: Filter): Listed[] {
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
export function checkToolNames(wanted: readonly string[] | undefined, entries: readonly Entry[]): void {
  const names = entries.map(({ name }) => name)
  const lost = (wanted ?? []).filter((pattern) => !names.some((name) => globOf(pattern).test(name)))
  if (lost.length === 0) return
  const near = lost
    .map((pattern) => suggestion(pattern.toLowerCase().replaceAll('-', '_'), names))
    .find(Boolean)
  throw new UserError(`--allow-tool ${lost.join(', ')}: there is no such tool`, {
    hint: near ? `${near} (all: anode tools list --all)` : 'see `anode tools list --all`',
  })
}

/** `*` is any run of characters, `?` one; a spelling known from elsewhere stands for the tool. */
function globOf(pattern: string): RegExp {
  const source = canonical(pattern)
    .replace(/[.+^$(){}|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`)
}

/** Hides what was not asked for, and from a child whatever starts agents. */
export function narrowed(
  entries: readonly Listed[],
  only: readonly string[] | undefined,
  child: boolean,
): Listed[] {
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

function reasonOf(visible: Visible | undefined): string | undefined {
  return visible?.shown === false ? visible.reason : undefined
}
