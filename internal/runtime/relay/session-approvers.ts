// Optional answerers of approvals: a relay, which asks the user on another device, and a reviewer, which
// is a model.
import type { Budget } from '../../agent/budget.ts'
import type { SessionRecord } from '../../agent/session.ts'
import type { ModelMessage } from '../../model/model.ts'
import type { ApprovalReviewer } from '../../tool/ask.ts'
import type { Runtime } from '../runtime.ts'
import { createReviewer } from './approval-reviewer.ts'

export { joinApprovers } from './joined-answerers.ts'

interface ReviewerOptions {
  runtime: Runtime
  /** The conversation of the agent that the user started. */
  opened: { messages: readonly ModelMessage[] }
  record: SessionRecord
  note(text: string): void
}

/** Returns the reviewer of approvals that the user configured, if any. */
export function openReviewer(
  { runtime, opened, record, note }: ReviewerOptions,
  budget: () => Budget,
): ApprovalReviewer | undefined {
  const settings = runtime.context.loaded.config.approvals?.reviewer
  const openModel = (spec: string) => runtime.model(spec, note)
  return settings && createReviewer(settings, { openModel, messages: opened.messages, record, budget })
}
