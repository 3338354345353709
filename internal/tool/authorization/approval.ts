// The question to the user whether one call may run, and the record of question and verdict.
import type { CallFacts, PermissionDecision } from '../../policy/decide.ts'
import type { ToolEffect } from '../../policy/level.ts'
import type { RuleOffer } from '../../policy/policy.ts'
import type { ApprovalReply, ApprovalRequest } from '../ask.ts'
import { type CallIds, callEventFields } from '../call-ids.ts'
import type { Ctx } from '../ctx.ts'
import { withoutSecrets } from '../field.ts'
import type { CallAccess, Tool } from '../tool.ts'
import { authorizeCall } from './authorize.ts'
import { noteApproval } from './build-consent.ts'
import { directoryOf } from './call-directory.ts'
import { reviewCall } from './call-review.ts'
import { listDefaults } from './default-arguments.ts'

/** A call with parsed arguments that needs approval. */
interface AskedCall extends CallIds {
  tool: Tool
  origin: string
  args: Record<string, unknown>
  effect: ToolEffect
  access: CallAccess
}

/**
 * Asks the reviewer model, if the user configured one, and then the user, unless the reviewer allows the
 * call. Returns the decision, which is `allow` only if the reviewer allowed the call. `denied` is the reason
 * of a denial by the user, or why no user could answer; without `denied`, the call may run.
 */
export async function settleAsked(
  askedCall: AskedCall & { facts: CallFacts | undefined },
  first: PermissionDecision,
  ctx: Ctx,
): Promise<{ decision: PermissionDecision; denied?: string }> {
  const decision = await reviewCall(askedCall, first, ctx)
  if (decision.action === 'allow') return { decision }
  const { allow, why } = await askApproval(askedCall, decision, ctx)
  return allow ? { decision } : { decision, denied: why }
}

/**
 * Asks the user about a call, records question and reply, and returns the reply. Stores the rules of an
 * answer "always". `ctx` is the context of the call.
 */
export async function askApproval(
  askedCall: AskedCall,
  decision: PermissionDecision,
  ctx: Ctx,
): Promise<ApprovalReply> {
  const always = decision.always
  const reasons = decision.reasons.map((reason) => reason.text)
  const { tool, origin, call, effect } = askedCall
  const args = withoutSecrets(tool.input, askedCall.args)
  const cwd = directoryOf(askedCall.access, ctx)
  const defaults = listDefaults(tool.input, askedCall.args)
  const record = callEventFields(askedCall, tool.name, tool.adapter)
  await ctx.log.append({
    type: 'permission.asked',
    payload: {
      ...record,
      origin,
      effect,
      args,
      defaults: defaults.length > 0 ? defaults : undefined,
      edits: (await allowedByEdits(askedCall, ctx)) || undefined,
      cwd,
      reasons,
      always: always?.map(recordedOffer),
      parts: decision.parts ? [...decision.parts] : undefined,
    },
  })
  const request: ApprovalRequest = {
    call,
    tool: tool.name,
    origin,
    args,
    defaults,
    cwd,
    reasons,
    always,
    parts: decision.parts,
    child: ctx.agent?.child,
    preview: async () => tool.preview?.(askedCall.args, ctx),
    signal: ctx.signal,
  }
  const reply = await ctx.gate.ask(request)
  const mayKeep = reply.allow || typeof reply.always === 'object'
  const keeps = mayKeep && always ? chooseOffers(always, reply.always) : []
  await ctx.log.append({
    type: 'permission.decided',
    payload: {
      ...record,
      action: reply.allow ? 'allow' : 'deny',
      why: reply.why,
      always: keeps.length > 0 ? true : undefined,
    },
  })
  if (reply.allow) noteApproval(decision, ctx)
  for (const { rule } of keeps) await ctx.gate.remember(rule)
  return reply
}

/**
 * Returns true for a call that needs approval in mode `ask`, if its tool changes files (`confirm_write`) and
 * mode `edits` would allow the call.
 */
async function allowedByEdits({ tool, args }: AskedCall, ctx: Ctx): Promise<boolean> {
  if (ctx.policy.mode !== 'ask' || tool.level !== 'confirm_write') return false
  const policy = { ...ctx.policy, mode: 'edits' as const }
  // a call whose paths have changed since it was judged may no longer be one that can be judged
  const judged = await authorizeCall(tool, args, { ...ctx, policy }).catch(() => undefined)
  return judged?.decision.action === 'allow'
}

const recordedOffer = ({ rule, parts, ...offer }: RuleOffer) => ({
  ...offer,
  rule: { ...rule },
  parts: parts ? [...parts] : undefined,
})

const chooseOffers = (offers: readonly RuleOffer[], choice: ApprovalReply['always']) =>
  typeof choice === 'object' ? offers.filter((_, at) => choice.includes(at)) : choice ? offers : []
