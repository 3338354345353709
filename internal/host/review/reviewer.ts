// Reviews a change for an agent or a person: its children share one model and one budget.
import { UserError } from '../../base/errors.ts'
import { findProfileServing } from '../../profile/profile-lookup.ts'
import type { ReviewResult, ReviewRunner } from '../../tool/ctx.ts'
import type { SpawnParent } from '../child-agent.ts'

/**
 * The children inherit the parent's model if it has one; else all of them share the one that `spec` names or
 * that is configured. Throws UserError where there is something to review and no model.
 */
export function createReviewer(parent: SpawnParent & { spec?: string | undefined }): ReviewRunner {
  return async (request, signal) => {
    const { runtime, ctx } = parent
    let isMissing = false
    const miss = () => {
      isMissing = true
    }
    const spec = parent.spec ?? findProfileServing(await runtime.profiles(), 'code_review').model
    const model = parent.model ?? (await runtime.model(spec, miss))
    const { run } = ctx.can
    if (!run) throw new UserError('a review needs git, and no program can be started here')
    const { reviewChanges } = await import('../../review/review.ts')
    const reviewed = await reviewChanges(
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
    // where nothing has changed no model is missed
    if (isMissing && !reviewed.empty) throw (await import('../../model/model-choice.ts')).noModel()
    return reviewed
  }
}

/** The SARIF log of a review. */
export async function formatSarif(reviewed: ReviewResult, version: string): Promise<object> {
  return (await import('../../review/sarif.ts')).toSarif(reviewed, version)
}
