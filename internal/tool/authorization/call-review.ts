// The review of a call that needs approval. A model does the review and can only allow this one call.

import { fingerprint } from '../../base/fingerprint.ts'
import { monotonicNow } from '../../base/time-limit.ts'
import type { PermissionDecision } from '../../policy/decide.ts'
import type { CallFacts } from '../../policy/resolved-call.ts'
import { judgeReview } from '../../policy/review-scope.ts'
import type { FilePreview, ReviewedCallRequest, ReviewReply } from '../ask.ts'
import { type CallIds, callEventFields } from '../call-ids.ts'
import type { Ctx } from '../ctx.ts'
import { withoutSecrets } from '../field.ts'
import type { CallAccess, Tool } from '../tool.ts'
import { authorizeCall } from './authorize.ts'
import { directoryOf } from './call-directory.ts'

interface ReviewedCall extends CallIds {
  tool: Tool
  args: Record<string, unknown>
  access: CallAccess
  facts: CallFacts | undefined
}

/**
 * Returns the permission decision after the review: `allow` if the reviewer allowed exactly this call, else
 * `ask` with the reason of the reviewer. The decision is unchanged without a reviewer or without its answer,
 * and for a call that it may not judge. Records each answer.
 */
export async function reviewCall(
  reviewedCall: ReviewedCall,
  decision: PermissionDecision,
  ctx: Ctx,
): Promise<PermissionDecision> {
  const { reviewer } = ctx.gate
  if (!reviewer || !reviewedCall.facts) return decision
  const scope = judgeReview(reviewedCall.facts, ctx.policy, reviewer.also)
  if (scope.barred !== undefined) return decision
  const request = await describeCall(reviewedCall, decision, ctx)
  if (!request) return decision
  const started = monotonicNow()
  const reply = await reviewer.review(request)
  if (reply === undefined) return decision
  const { verdict, reason } =
    reply.verdict === 'allow' ? await confirmReply(reply, request, reviewedCall, ctx) : reply
  await ctx.log.append({
    type: 'approval.reviewed',
    payload: {
      ...callEventFields(reviewedCall, reviewedCall.tool.name, reviewedCall.tool.adapter),
      hash: request.hash,
      verdict,
      reason,
      model: reviewer.model,
      ms: Math.round(monotonicNow() - started),
    },
  })
  // Mode auto may allow the call only because its command runs in the sandbox. Then the decision says so, and
  // the sandbox hides the history.
  if (verdict === 'allow') return { ...decision, action: 'allow', held: scope.held || undefined }
  const text = `the reviewer ${verdict === 'pass' ? 'passed' : 'did not decide'}: ${reason}`
  return { ...decision, reasons: [...decision.reasons, { action: 'ask', by: 'reviewer', text }] }
}

/**
 * Returns the call as the reviewer gets it. The hash covers everything that a user would approve. Returns
 * undefined if the call has no preview because it would fail, for example after its file has changed.
 */
async function describeCall(
  { call, tool, args, access }: ReviewedCall,
  decision: PermissionDecision,
  ctx: Ctx,
): Promise<ReviewedCallRequest | undefined> {
  let preview: FilePreview | undefined
  try {
    preview = await tool.preview?.(args, ctx)
  } catch {
    return undefined
  }
  const about = {
    tool: tool.name,
    child: ctx.agent?.child,
    args: withoutSecrets(tool.input, args),
    cwd: directoryOf(access, ctx),
    reasons: decision.reasons.map(({ text }) => text),
    parts: decision.parts,
    files: preview?.files,
  }
  const { mode, preset, rules } = ctx.policy
  const hash = fingerprint(JSON.stringify([call, about, args, mode, preset, rules, await ctx.gate.answers()]))
  return { ...about, hash, signal: ctx.signal }
}

/**
 * Returns the reply if the call is still the one that was reviewed; otherwise a reply with
 * the verdict `void`.
 */
async function confirmReply(
  reply: ReviewReply,
  { hash }: ReviewedCallRequest,
  reviewedCall: ReviewedCall,
  ctx: Ctx,
): Promise<{ verdict: ReviewReply['verdict'] | 'void'; reason: string }> {
  const voidReply = { verdict: 'void' as const, reason: 'the call changed during the review' }
  const { tool, args } = reviewedCall
  // a path of the call may have become one that no call can have, such as a circle of links
  const judged = await authorizeCall(tool, args, ctx).catch(() => undefined)
  if (judged?.decision.action !== 'ask' || !judged.facts) return voidReply
  const now = await describeCall(reviewedCall, judged.decision, ctx)
  const { barred } = judgeReview(judged.facts, ctx.policy, ctx.gate.reviewer?.also ?? [])
  return now?.hash === hash && barred === undefined ? reply : voidReply
}
