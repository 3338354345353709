// Which tools a profile lets a model see, and why the others are hidden.
import { isRead, type Level } from '../policy/level.ts'
import type { Profile } from './profile.ts'

/** A registered tool as the filter looks at it. */
interface FilteredTool {
  name: string
  level: Level
  /** What the tool's own `available` says; absent means true. */
  available?: true | string
}

interface Limiter {
  /** `tools.disabled` of the configuration: globs. */
  disabled?: readonly string[]
  /** Tools that an entry of it disables under another name, by their names. */
  implied?: ReadonlyMap<string, string>
  /** `web.enabled` of the configuration; absent means true. */
  web?: boolean
}

export interface ToolVisibility {
  name: string
  shown: boolean
  /** Why it is hidden, or which entry of the allowlist shows it. */
  reason: string
  /** Whether an entry `anode__…` has it, which is how a model gets to see an optional native tool. */
  named?: true
}

/** Tools that reach the web and go away with `web.enabled: false`. */
const webTools: ReadonlySet<string> = new Set(['web_search', 'web_fetch'])

/**
 * Judges each entry in its order. An entry of the allowlist shows what it matches, one with `!` hides it
 * again, the last match counts. `*` alone stands for native tools: a name with `__` comes from elsewhere
 * (MCP, toolbox, plugin) and is matched only by a pattern that has `__` too, so that foreign tools never
 * slip in. `anode__read` is the native tool `read`.
 */
export function filterTools(
  profile: Profile,
  entries: readonly FilteredTool[],
  limiter: Limiter = {},
): ToolVisibility[] {
  const allows = profile.tools.map((pattern) => {
    const isNegative = pattern.startsWith('!')
    const glob = isNegative ? pattern.slice(1) : pattern
    return { pattern, isNegative, isNative: glob.startsWith(nativePrefix), matches: allowMatcher(glob) }
  })
  const disabled = (limiter.disabled ?? []).map((pattern) => ({
    pattern,
    matches: createGlobMatcher(pattern),
  }))
  return entries.map((entry) => {
    const { name } = entry
    const last = allows.findLast(({ matches }) => matches(name))
    const naming = allows.findLast((allow) => (allow.isNative || allow.isNegative) && allow.matches(name))
    const hide = (reason: string): ToolVisibility => ({ name, shown: false, reason })
    if (!last) return hide(`not among the tools of the profile ${profile.name}`)
    if (last.isNegative) return hide(`taken out by ${last.pattern} in the profile ${profile.name}`)
    if (profile.readOnly && !isRead(entry.level)) {
      return hide(`the profile ${profile.name} is read-only and the level is ${entry.level}`)
    }
    const off = disabled.find(({ matches }) => matches(name))?.pattern ?? limiter.implied?.get(name)
    if (off !== undefined) return hide(`disabled by ${off} in tools.disabled`)
    if (limiter.web === false && webTools.has(name)) return hide('the web is turned off (web.enabled)')
    if (typeof entry.available === 'string') return hide(entry.available)
    const named = naming?.isNegative === false
    return { name, shown: true, reason: `allowed by ${last.pattern}`, named: named || undefined }
  })
}

type Matcher = (name: string) => boolean

/** Before the name of a native tool, where one is named that a model is otherwise not offered. */
const nativePrefix = 'anode__'

/** Whether an entry of an allowlist, without `!`, speaks of a tool. */
export function allowMatcher(glob: string): Matcher {
  const isNative = glob.startsWith(nativePrefix)
  const matches = createGlobMatcher(isNative ? glob.slice(nativePrefix.length) : glob)
  return glob.includes('__') && !isNative ? matches : (name) => !name.includes('__') && matches(name)
}

/** `*` is any run of characters, `?` one; everything else stands for itself. */
export function createGlobMatcher(glob: string): Matcher {
  if (!/[*?]/.test(glob)) return (name) => name === glob
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.')
  const regex = new RegExp(`^${source}$`)
  return (name) => regex.test(name)
}
