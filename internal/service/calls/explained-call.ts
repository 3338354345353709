// The explanation of a call that does not run: the decision of the policy, with its reasons.
import type { PermissionDecision } from '../../policy/decide.ts'
import { explainDecision } from '../../policy/decision-explanation.ts'
import { adaptArguments } from '../../tool/argument-aliases.ts'
import { authorizeRaw } from '../../tool/authorization/authorize-raw.ts'
import type { ToolEntry } from '../../tool/catalog.ts'
import type { Ctx } from '../../tool/ctx.ts'

export interface CallExplanation {
  decision: PermissionDecision
  lines: string[]
}

/**
 * Returns the decision of the policy on a call that does not run, and its explanation as lines. `name` is the
 * name of the tool in the call. Throws UserError for arguments that do not fit the tool.
 */
export async function explainCall(
  entry: ToolEntry,
  name: string,
  rawArgs: unknown,
  ctx: Ctx,
): Promise<CallExplanation> {
  const tool = await entry.load(rawArgs)
  const isForeign = tool.adapter !== undefined || entry.origin !== 'native'
  const args = isForeign ? rawArgs : adaptArguments(tool, name, rawArgs).args
  const decision = await authorizeRaw(tool, args, ctx)
  return { decision, lines: explainDecision(decision) }
}
