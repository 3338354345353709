// Review of a change for an agent or a user. Its subagents share one model and one budget.
import { UserError } from '../../base/errors.ts'
import { noModel } from '../../model/model-choice.ts'
import { findProfileServing } from '../../profile/profile-set.ts'
import { reviewChanges } from '../../review/review.ts'
import { toSarif } from '../../review/sarif.ts'
import type { ReviewParent } from '../../runtime/features.ts'
import type { ReviewResult, ReviewRunner } from '../../tool/review.ts'

/**
 * Returns the review function. Its subagents use the parent's model if it has one, else the model of `spec`,
 * of the review profile or of the configuration. The function throws UserError without a model, even if
 * nothing has changed, and if no program can be started, because a review needs git.
 */
export function createReviewer(parent: ReviewParent): ReviewRunner {
  return async (request, signal) => {
    const { runtime, ctx } = parent
    let isMissing = false
    const miss = () => {
      isMissing = true
    }
    const spec = parent.spec ?? findProfileServing(await runtime.profiles(), 'code_review').model
    const model = parent.model ?? (await runtime.model(spec, miss))
    // the model is checked before the changes, so that a CI job without a key cannot pass because
    // nothing has changed
    if (isMissing) throw noModel()
    const {
      processes: { run },
    } = ctx.can
    if (!run) throw new UserError('a review needs git, and no program can be started here')
    return reviewChanges(
      request,
      {
        cwd: ctx.cwd,
        policy: ctx.policy,
        trusted: runtime.context.trusted,
        run,
        spawn: runtime.spawn({ ...parent, model }),
        model: { id: model.id, judges: model.kind !== 'rules' },
      },
      signal,
    )
  }
}

/** Returns the SARIF log of a review. */
export async function formatSarif(reviewed: ReviewResult, version: string): Promise<object> {
  return toSarif(reviewed, version)
}
