// How careful the gate is with a server's tool.

import type { Level } from '../../policy/level.ts'
import { matchWildcard } from '../../policy/rules/rule-pattern.ts'
import type { McpServer } from './server-config.ts'

export interface McpToolAnnotations {
  readOnlyHint?: boolean | undefined
  destructiveHint?: boolean | undefined
}

/**
 * What the configuration says of the tool, else of the server, else confirm_execute. A server's own word that
 * a tool only reads counts when the configuration trusts it, and not for one that calls itself destructive as
 * well.
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
