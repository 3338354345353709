// A review that a person has asked for: opens the ground, picks profile and model, and reviews once.
import { budget, type Caps } from '../agent/budget.ts'
import type { Draft } from '../event/event.ts'
import { findProfile, profileServing } from '../profile/find.ts'
import type { Reviewed, ReviewOrder } from '../tool/ctx.ts'
import { type GroundOptions, openGround } from './ground.ts'
import { checkToolNames } from './registry.ts'
import { reviewer } from './review.ts'

export interface ReviewRunOptions extends GroundOptions {
  order: ReviewOrder
  model?: string
  caps: Caps
  /** Names and globs that a person narrows every child to, whatever a check asks for. */
  tools?: readonly string[]
  /** Beginning and end of every child. */
  show(draft: Draft): void
  note(text: string): void
}

/** Throws UserError before anything has run: configuration, profile, model, revision. */
export async function runReview(options: ReviewRunOptions): Promise<Reviewed> {
  const ground = await openGround(options)
  try {
    for (const note of ground.notes) options.note(note)
    const profiles = await ground.profiles()
    const { profile: name } = options.order
    const profile = name === undefined ? profileServing(profiles, 'code_review') : findProfile(profiles, name)
    const ctx = await ground.ctx({
      thread: undefined,
      profile,
      log: { append: async (draft) => options.show(draft), keep: async () => '' },
      ask: async () => ({ allow: false, why: 'a review only reads, and nobody is asked' }),
      warn: options.note,
    })
    checkToolNames(options.tools, ground.entries())
    const spec = options.model ?? profile.model
    const report = async (draft: Draft) => options.show(draft)
    const spending = budget(options.caps)
    const review = reviewer({ ground, ctx, spec, budget: spending, only: options.tools, report })
    return await review(options.order, options.signal)
  } finally {
    await ground.close()
  }
}
