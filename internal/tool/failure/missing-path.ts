// The failure of a call that names a missing path.
import type { Failure } from '../../base/errors.ts'
import type { CallScope } from '../../policy/level.ts'
import { describeMissing } from '../../policy/paths/missing-path.ts'
import { resolvePath } from '../../policy/paths/path-jail.ts'
import type { Ctx } from '../ctx.ts'

/**
 * Adds the target of a link and similar names to a failure about a missing path in `scope`, unless the tool
 * has already added them. Returns any other failure unchanged.
 */
export function explainMissingPath(failure: Failure, scope: readonly CallScope[], ctx: Ctx): Failure {
  for (const part of scope) {
    if (part.kind !== 'path') continue
    const place = resolvePath(ctx.cwd, ctx.policy.roots, part.path)
    if (place.exists || failure.message !== `${place.shown} does not exist`) continue
    return { ...failure, ...describeMissing(place, failure.hint) }
  }
  return failure
}
