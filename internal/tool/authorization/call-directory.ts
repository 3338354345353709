// The directory in which the command of a call starts.
import { resolve } from 'node:path'
import type { Ctx } from '../ctx.ts'
import type { CallAccess } from '../tool.ts'

/**
 * Returns the absolute path of the directory in which the first command of a call's scope starts. Default:
 * the directory of the session.
 */
export function directoryOf({ scope = [] }: CallAccess, ctx: Ctx): string {
  const command = scope.find((one) => one.kind === 'command')
  return resolve(ctx.cwd, command?.cwd ?? '.')
}
