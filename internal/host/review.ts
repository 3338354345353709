// Lets an agent or a person have a change reviewed: model and profile looked up, children on one model and budget.
import { UserError } from '../base/errors.ts'
import { profileServing } from '../profile/find.ts'
import type { Review, Reviewed } from '../tool/ctx.ts'
import type { Parent } from './spawn.ts'

/**
 * The children inherit the parent's model if it has one; else all of them share the one that `spec` names or that is
 * configured. Throws UserError where there is something to review and no model.
 */
export function reviewer(parent: Parent & { spec?: string | undefined }): Review {
  return async (order, signal) => {
    const { ground, ctx } = parent
    let isMissing = false
    const miss = () => {
      isMissing = true
    }
    const spec = parent.spec ?? profileServing(await ground.profiles(), 'code_review').model
    const model = parent.model ?? (await ground.model(spec, miss))
    const { run } = ctx.can
    if (!run) throw new UserError('a review needs git, and no program can be started here')
    const { review } = await import('../review/review.ts')
    const reviewed = await review(
      order,
      {
        cwd: ctx.cwd,
        policy: ctx.policy,
        trusted: ground.around.trusted,
        run,
        spawn: ground.spawn({ ...parent, model }),
        model: { id: model.id, judges: model.kind !== 'rules' },
      },
      signal,
    )
    // where nothing has changed no model is missed
    if (isMissing && !reviewed.empty) throw (await import('../model/pick.ts')).noModel()
    return reviewed
  }
}

/** The SARIF log of a review. */
export async function sarif(reviewed: Reviewed, version: string): Promise<object> {
  return (await import('../review/sarif.ts')).sarif(reviewed, version)
}
