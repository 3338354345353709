// Names of tools, in allowlists of profiles and in tools.disabled, that are no tool.
import { findNearest, suggestNames } from '../base/text/name-suggestion.ts'
import type { Profile } from './profile.ts'
import { allowMatcher, createGlobMatcher } from './tool-filter.ts'

/**
 * Entries of `tools.disabled` that take nothing away, each with the names it may have meant. `names` are
 * all registered tools. One for tools of a server, toolbox or plugin is complained about only when others
 * of that origin are there: a server that is down today may have the tool tomorrow.
 */
export function findUnmatchedDisabled(disabled: readonly string[], names: readonly string[]): string[] {
  const lost = disabled.filter((pattern) => {
    if (names.some(createGlobMatcher(pattern))) return false
    const origin = /^([a-z]+__)(?:\w*?__)?/.exec(pattern)?.[0]
    return origin === undefined || (!pattern.endsWith('*') && names.some((name) => name.startsWith(origin)))
  })
  return lost.map((pattern) => {
    const hint = suggestNames(pattern.replace(/[*?]/g, ''), names)
    return `tools.disabled names ${pattern}, which is no tool${hint ? `; ${hint}` : ''}`
  })
}

/**
 * One line on entries of the allowlist that match no registered tool, or undefined. `names` are all
 * registered tools, hidden ones included. Built-in profiles are not complained about: a test holds their
 * names to the contract, and some tools exist only under conditions. Neither are `mcp__*` and its like,
 * which may be empty.
 */
export function warnUnmatchedTools(profile: Profile, names: readonly string[]): string | undefined {
  if (profile.origin === 'builtin') return undefined
  const lost = profile.tools.filter((pattern) => {
    const glob = pattern.replace(/^!/, '')
    return !/^[a-z]+__\*$/.test(glob) && !names.some(allowMatcher(glob))
  })
  if (lost.length === 0) return undefined
  const shown = lost.map((pattern) => {
    const near = findNearest(pattern.replace(/^!/, ''), names, 1)[0]
    return near === undefined ? pattern : `${pattern} (${near}?)`
  })
  return `the profile ${profile.name} names tools that do not exist: ${shown.join(', ')} (${profile.path})`
}
