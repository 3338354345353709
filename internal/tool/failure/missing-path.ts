// The failure of a call that names a missing path.
import type { Failure } from '../../base/errors.ts'
import type { CallScope } from '../../policy/level.ts'
import { describeMissing } from '../../policy/paths/missing-path.ts'
import { resolvePath } from '../../policy/paths/path-jail.ts'
import type { Ctx } from '../ctx.ts'

/** Adds to the failure the target of a link and similar names, unless the tool has already added them. */
export function explainMissingPath(failure: Failure, scope: readonly CallScope[], ctx: Ctx): Failure {
  for (const part of scope) {
    if (part.kind !== 'path') continue
    const place = resolvePath(ctx.cwd, ctx.policy.roots, part.path)
    if (place.exists || failure.message !== `${place.shown} does not exist`) continue
    return { ...failure, ...describeMissing(place, failure.hint) }
  }
  return failure
}
