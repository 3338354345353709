// Lets an agent or a person have a change reviewed: model and profile looked up, children on one model and budget.
import { UserError } from '../base/errors.ts'
import { profileServing } from '../profile/find.ts'
import type { Review, Reviewed } from '../tool/ctx.ts'
import type { Parent } from './spawn.ts'

/** The children inherit the parent's model if it has one; else all of them share the one that is configured. */
export function reviewer(parent: Parent): Review {
  return async (order, signal) => {
    const { ground, ctx } = parent
    const model =
      parent.model ??
      (await ground.model(profileServing(await ground.profiles(), 'code_review').model, () => undefined))
    const { run } = ctx.can
    if (!run) throw new UserError('a review needs git, and no program can be started here')
    const { review } = await import('../review/review.ts')
    return review(
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
  }
}

/** The SARIF log of a review. */
export async function sarif(reviewed: Reviewed, version: string): Promise<object> {
  return (await import('../review/sarif.ts')).sarif(reviewed, version)
}
