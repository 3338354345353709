// The permission decision on raw arguments, for a question about a call that does not run.
import { FailureError, UserError } from '../../base/errors.ts'
import type { PermissionDecision } from '../../policy/decide.ts'
import type { Ctx } from '../ctx.ts'
import { parseArguments } from '../parse.ts'
import type { Tool } from '../tool.ts'
import { authorizeCall } from './authorize.ts'

/**
 * Returns the decision on a call with raw arguments. Throws UserError if they do not fit the schema or the
 * tool refuses them.
 */
export async function authorizeRaw(tool: Tool, raw: unknown, ctx: Ctx): Promise<PermissionDecision> {
  const { adapter } = tool
  const name = adapter ? `${adapter.toolset}/${adapter.name}` : tool.name
  const hint = `see \`anode tools show ${name}\``
  const parsed = parseArguments(tool.input, raw)
  if (!parsed.ok) throw new UserError(parsed.issues.join('; '), { hint })
  try {
    const parsedArgs = parsed.args as Record<string, unknown>
    return (await authorizeCall(tool, adapter ? adapter.map(parsedArgs, ctx).args : parsedArgs, ctx)).decision
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    throw new UserError(error.failure.message, { hint: error.failure.hint ?? hint, cause: error })
  }
}
