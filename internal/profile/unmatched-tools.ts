// Check for tool names in allowlists and in `tools.disabled` that match no tool.
import { findNearest, suggestNames } from '../base/text/name-suggestion.ts'
import type { Profile } from './profile.ts'
import { allowMatcher, createGlobMatcher } from './tool-filter.ts'

/**
 * Returns one line for each entry of `tools.disabled` that matches no tool, with similar names. `names` are
 * all registered tools. An entry for a server, toolbox or plugin is reported only if it does not end in `*`
 * and other tools of that origin exist. A server that is down may have the tool later.
 */
export function findUnmatchedDisabled(disabled: readonly string[], names: readonly string[]): string[] {
  const lost = disabled.filter((pattern) => {
    if (names.some(createGlobMatcher(pattern))) return false
    const origin = /^([a-z]+__)(?:\w*?__)?/.exec(pattern)?.[0]
    return origin === undefined || (!pattern.endsWith('*') && names.some((name) => name.startsWith(origin)))
  })
  return lost.map((pattern) => {
    const hint = suggestNames(pattern.replace(/[*?]/g, ''), names)
    return `tools.disabled lists ${pattern}, which is not a tool${hint ? `; ${hint}` : ''}`
  })
}

/**
 * Returns one line about allowlist entries that match no registered tool, or undefined. `names` are all
 * registered tools, hidden ones included. Entries of built-in profiles are not reported, because a test
 * checks them and some of their tools exist only under conditions. Entries such as `mcp__*` may match
 * nothing, so they are not reported either.
 */
export function warnUnmatchedTools(profile: Profile, names: readonly string[]): string | undefined {
  if (profile.origin === 'builtin') return undefined
  const lost = profile.tools.filter((pattern) => {
    const glob = pattern.replace(/^!/, '')
    return !/^[a-z]+__\*$/.test(glob) && !names.some(allowMatcher(glob))
  })
  if (lost.length === 0) return undefined
  const patterns = lost.map((pattern) => {
    const near = findNearest(pattern.replace(/^!/, ''), names, 1)[0]
    return near === undefined ? pattern : `${pattern} (${near}?)`
  })
  return `the profile ${profile.name} names tools that do not exist: ${patterns.join(', ')} (${profile.path})`
}
