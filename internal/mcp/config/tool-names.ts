// Names of servers' tools in the registry, and the filter of the configuration for these tools.
import { createHash } from 'node:crypto'
import { matchWildcard } from '../../policy/rules/rule-match.ts'
import type { McpServer } from './server-config.ts'

/** Largest number of characters of a tool name that providers accept. A longer name is shortened. */
const maxNameChars = 64

/**
 * Returns the name `mcp__<server>__<tool>` with only the characters that providers allow, and adds it to
 * `takenNames`. If characters of `tool` are replaced, or if the name is too long or in `takenNames`, it is
 * cut and ends with an underscore and six characters of a hash.
 */
export function toolName(server: Pick<McpServer, 'slug'>, tool: string, takenNames: Set<string>): string {
  const plain = `mcp__${server.slug}__${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`
  const isSame = plain.endsWith(`__${tool}`) && plain.length <= maxNameChars && !takenNames.has(plain)
  // The six characters of the hash of the original name make the new name unique.
  const mark = createHash('sha256').update(`${server.slug}\0${tool}`).digest('hex').slice(0, 6)
  const name = isSame ? plain : `${plain.slice(0, maxNameChars - 7)}_${mark}`
  takenNames.add(name)
  return name
}

/** Returns whether a name or glob in `alwaysLoad` matches the tool's name on the server. */
export const isAlwaysLoaded = ({ always }: Pick<McpServer, 'always'>, tool: string): boolean =>
  always.some((pattern) => matchWildcard(pattern, tool))

/**
 * Returns whether includeTools and excludeTools admit a tool. Both contain names on the server, or globs. A
 * tool in both is not admitted; without includeTools, all others are.
 */
export function admitsTool(
  { include, exclude }: Pick<McpServer, 'include' | 'exclude'>,
  tool: string,
): boolean {
  const fits = (pattern: string) => matchWildcard(pattern, tool)
  return (include === undefined || include.some(fits)) && !exclude.some(fits)
}
