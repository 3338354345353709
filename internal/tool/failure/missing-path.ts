// What is said of a call that failed because nothing is at a path that it names.
import type { Failure } from '../../base/errors.ts'
import { describeMissing } from '../../policy/paths/missing-path.ts'
import { resolvePath } from '../../policy/paths/path-jail.ts'
import type { Ctx } from '../ctx.ts'
import type { Tool } from '../tool.ts'

/** The failure with where a link points and which names are near, where the tool has not said it itself. */
export function explainMissingPath(
  failure: Failure,
  tool: Tool,
  args: Record<string, unknown>,
  ctx: Ctx,
): Failure {
  for (const scope of tool.scope?.(args, ctx) ?? []) {
    if (scope.kind !== 'path') continue
    const place = resolvePath(ctx.cwd, ctx.policy.roots, scope.path)
    if (place.exists || failure.message !== `${place.shown} does not exist`) continue
    return { ...failure, ...describeMissing(place) }
  }
  return failure
}
