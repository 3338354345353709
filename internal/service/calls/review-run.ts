// Review of changes that a user starts. It opens the runtime, selects profile and model, and runs one review.
import { type BudgetCaps, createBudget } from '../../agent/budget.ts'
import type { EventDraft } from '../../event/event.ts'
import { findProfile, findProfileServing } from '../../profile/profile-set.ts'
import { openRuntime } from '../../runtime/open-runtime.ts'
import type { RuntimeOptions } from '../../runtime/runtime.ts'
import { awaitNamedTools, checkToolNames } from '../../runtime/toolset/requested-toolset.ts'
import type { ReviewRequest, ReviewResult } from '../../tool/review.ts'
import { features } from '../features/index.ts'
import { createReviewer } from '../features/reviewer.ts'

interface ReviewRunOptions extends Omit<RuntimeOptions, 'features'> {
  order: ReviewRequest
  model?: string
  caps: BudgetCaps
  /** Names and globs that limit the tools of every subagent, in addition to the limits of each check. */
  tools?: readonly string[]
  /** Called with the events of the review, such as the start and end of each subagent. */
  show(draft: EventDraft): void
  note(text: string): void
}

/**
 * Runs the review. Throws UserError before a subagent starts, for example if the configuration, profile,
 * toolset, model, a tool name or the revision is invalid.
 */
export async function runReview(options: ReviewRunOptions): Promise<ReviewResult> {
  const runtime = await openRuntime({ ...options, features, isWorkspaceLater: true })
  try {
    for (const note of runtime.notes) options.note(note)
    const profiles = await runtime.profiles()
    const { profile: name } = options.order
    const profile =
      name === undefined ? findProfileServing(profiles, 'code_review') : findProfile(profiles, name)
    const toolset = options.toolset?.name ?? profile.toolset ?? runtime.context.loaded.config.toolset
    await runtime.openToolset({ ...options.toolset, name: toolset })
    const ctx = await runtime.ctx({
      thread: undefined,
      profile,
      log: { append: async (draft) => options.show(draft), keep: async () => '' },
      ask: async () => ({ allow: false, why: 'a review is read-only, and no user can approve its calls' }),
      warn: options.note,
    })
    await awaitNamedTools(options.tools, runtime, options.signal)
    const names = runtime.entries().map(({ name }) => name)
    checkToolNames(options.tools, [...names, ...(runtime.toolset?.faceNames ?? [])])
    const spec = options.model ?? profile.model
    const report = async (draft: EventDraft) => options.show(draft)
    const spending = createBudget(options.caps)
    const review = createReviewer({
      runtime,
      ctx,
      spec,
      budget: spending,
      only: options.tools,
      report,
    })
    return await review(options.order, options.signal)
  } finally {
    await runtime.close()
  }
}
