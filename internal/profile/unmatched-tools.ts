// Names in tools.disabled that are no tool; only the doctors ask, so it is a file of its own.
import { suggestNames } from '../base/text/name-suggestion.ts'
import { createGlobMatcher } from './tool-filter.ts'

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
