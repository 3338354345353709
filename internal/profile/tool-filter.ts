// Filter of the tools that a profile shows to a model, with the reason for each hidden one.
import { isRead, type Level } from '../policy/level.ts'
import type { Profile } from './profile.ts'

/** A registered tool, with the fields that the filter needs. */
interface FilteredTool {
  name: string
  level: Level
  /** Result of the tool's own check: true, or the reason why it cannot be used. Default: true. */
  available?: true | string
}

interface ToolLimits {
  /** Globs of `tools.disabled` in the configuration. */
  disabled?: readonly string[]
  /**
   * Tools that are disabled as well, because a tool that a glob in `disabled` names could be replaced by
   * them. Each maps to that glob.
   */
  implied?: ReadonlyMap<string, string>
  /** Value of `web.enabled` in the configuration. Default: true. */
  web?: boolean
}

export interface ToolVisibility {
  name: string
  shown: boolean
  /** Reason why the tool is hidden, or the entry of the allowlist that shows it. */
  reason: string
  /**
   * True for a shown tool if an entry `anode__…` of the allowlist matches it and no later entry with `!`
   * hides it. Such an entry offers a native tool that a model does not get by default.
   */
  named?: true
}

/** Web tools, which the setting `web.enabled: false` hides. */
const webTools: ReadonlySet<string> = new Set(['web_search', 'web_fetch'])

/**
 * Returns for each tool, in order, whether a model gets it, and why. An entry of the allowlist shows the
 * tools that it matches, and an entry with `!` hides them again; the last entry that matches decides. A tool
 * with `__` in its name comes from another source (MCP, toolbox, plugin). Only a pattern with `__` matches
 * it, and not `*` alone, so that foreign tools never match by accident. `anode__read` is the native tool
 * `read`. A read-only profile, `limiter` and the tool's own check can hide more tools.
 */
export function filterTools(
  profile: Profile,
  entries: readonly FilteredTool[],
  limiter: ToolLimits = {},
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

type NameMatcher = (name: string) => boolean

/** Prefix of a native tool in an allowlist, for tools that a model does not get by default. */
const nativePrefix = 'anode__'

/** Returns a function that tells whether a tool matches an allowlist entry; the entry has no `!`. */
export function allowMatcher(glob: string): NameMatcher {
  const isNative = glob.startsWith(nativePrefix)
  const matches = createGlobMatcher(isNative ? glob.slice(nativePrefix.length) : glob)
  return glob.includes('__') && !isNative ? matches : (name) => !name.includes('__') && matches(name)
}

/**
 * Returns a function that matches names with a glob: `*` is any number of characters, `?` is one, and all
 * others match themselves.
 */
export function createGlobMatcher(glob: string): NameMatcher {
  if (!/[*?]/.test(glob)) return (name) => name === glob
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.')
  const regex = new RegExp(`^${source}$`)
  return (name) => regex.test(name)
}
