// Choice of the permission level for a tool of a server.

import type { Level } from '../../policy/level.ts'
import { matchWildcard } from '../../policy/rules/rule-match.ts'
import type { McpServer } from './server-config.ts'

export interface McpToolAnnotations {
  readOnlyHint?: boolean | undefined
  destructiveHint?: boolean | undefined
}

/**
 * Returns the level that the configuration sets for the tool, or else for the server. Without one, a tool
 * that the server calls read-only and not destructive gets `external_read`, if the configuration trusts these
 * annotations. Any other tool gets `confirm_execute`.
 */
export function levelOf(
  server: Pick<McpServer, 'level' | 'levels' | 'trustAnnotations'>,
  tool: string,
  annotations: McpToolAnnotations | undefined,
): Level {
  const named = server.levels.find(([pattern]) => matchWildcard(pattern, tool))?.[1] ?? server.level
  if (named !== undefined) return named
  const reads = annotations?.readOnlyHint === true && annotations.destructiveHint !== true
  return server.trustAnnotations && reads ? 'external_read' : 'confirm_execute'
}
