// Names of servers' tools in the registry, and which of them the configuration lets in.
import { createHash } from 'node:crypto'
import { matchWildcard } from '../../policy/rules/rule-pattern.ts'
import type { McpServer } from './server-config.ts'

/** What providers take at most. */
const maxNameChars = 64

/**
 * `mcp__<server>__<tool>` in the letters that providers allow; `taken` holds the names given so far and
 * grows.
 */
export function toolName(server: Pick<McpServer, 'slug'>, tool: string, taken: Set<string>): string {
  const plain = `mcp__${server.slug}__${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`
  const isSame = plain.endsWith(`__${tool}`) && plain.length <= maxNameChars && !taken.has(plain)
  // a name that was changed or cut is made its own again by a part of the digest of the real one
  const mark = createHash('sha256').update(`${server.slug}\0${tool}`).digest('hex').slice(0, 6)
  const name = isSame ? plain : `${plain.slice(0, maxNameChars - 7)}_${mark}`
  taken.add(name)
  return name
}

/** Whether alwaysLoad names a tool, as the server calls it. */
export const isAlwaysLoaded = ({ always }: Pick<McpServer, 'always'>, tool: string): boolean =>
  always.some((pattern) => matchWildcard(pattern, tool))

/**
 * Whether includeTools and excludeTools let a tool in; both hold names as the server gives them, or globs.
 */
export function admitsTool(
  { include, exclude }: Pick<McpServer, 'include' | 'exclude'>,
  tool: string,
): boolean {
  const fits = (pattern: string) => matchWildcard(pattern, tool)
  return (include === undefined || include.some(fits)) && !exclude.some(fits)
}
