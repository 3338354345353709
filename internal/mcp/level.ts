// How careful the gate is with a server's tool.
import { wild } from '../policy/glob.ts'
import type { Level } from '../policy/level.ts'
import type { Server } from './server.ts'

export interface Annotations {
  readOnlyHint?: boolean | undefined
  destructiveHint?: boolean | undefined
}

/**
 * What the configuration says of the tool, else of the server, else confirm_execute. A server's own word that a tool
 * only reads counts when the configuration trusts it, and not for one that calls itself destructive as well.
 */
export function levelOf(
  server: Pick<Server, 'level' | 'levels' | 'trustAnnotations'>,
  tool: string,
  annotations: Annotations | undefined,
): Level {
  const named = server.levels.find(([pattern]) => wild(pattern, tool))?.[1] ?? server.level
  if (named !== undefined) return named
  const reads = annotations?.readOnlyHint === true && annotations.destructiveHint !== true
  return server.trustAnnotations && reads ? 'external_read' : 'confirm_execute'
}
