// The user's approvals that a session needs only once: for tests and builds without a sandbox, and for
// commands in a sandbox that could not search all directories for secrets.
import { type PermissionDecision, unconfinedBuild, unsearchedPlaces } from '../../policy/policy.ts'
import type { CallFacts } from '../../policy/resolved-call.ts'
import type { Ctx } from '../ctx.ts'

interface BuildConsent {
  /** True if a call of this session may have changed files. */
  changed: boolean
  /** True if the user has approved a test or build that runs without a sandbox. */
  approved: boolean
  /** True if the user has approved a sandboxed command although not all directories were searched. */
  unsearched: boolean
}

/**
 * Approvals of each session. The key is the function that opens the session's sandbox, because the session's
 * subagents share this function.
 */
const consents = new WeakMap<object, BuildConsent>()

function consentOf({ can }: Ctx): BuildConsent | undefined {
  const { sandbox } = can.processes
  if (!sandbox) return undefined
  const consent = consents.get(sandbox) ?? { changed: false, approved: false, unsearched: false }
  consents.set(sandbox, consent)
  return consent
}

/**
 * Returns true if tests and builds without a sandbox need approval: a call of the session may have changed
 * files, and the user has not approved such a test or build yet.
 */
export function needsBuildConsent(ctx: Ctx): boolean {
  const consent = consentOf(ctx)
  return consent?.changed === true && !consent.approved
}

/**
 * Returns true if a sandboxed command needs approval because the sandbox did not search all directories for
 * secrets and protected paths. Returns false once the user has approved such a command.
 */
export async function needsSearchConsent(ctx: Ctx): Promise<boolean> {
  const consent = consentOf(ctx)
  if (!consent || consent.unsearched) return false
  const { workspace, added } = ctx.policy.roots
  const { closedPaths } = await import('../../policy/closed-paths.ts')
  const closed = closedPaths(ctx.policy)
  return (await (await ctx.can.processes.sandbox?.())?.searchesAll?.([workspace, ...added], closed)) === false
}

/**
 * Records that the session may have changed files, if the call may change some. Runs before the decision, so
 * it also records calls that are refused later. A call with commands counts unless all are of a known class
 * and write no file; any other call counts by its permission level.
 */
export function noteCall({ call, commands }: CallFacts, ctx: Ctx): void {
  const isKnown = commands.every(
    ({ parts, writes, blind, opaque }) =>
      opaque === undefined &&
      !blind &&
      writes.length === 0 &&
      parts.every((part) => part.class !== undefined || part.words.length === 0),
  )
  const isQuiet =
    commands.length > 0 ? isKnown : call.level !== 'confirm_write' && call.level !== 'confirm_execute'
  const consent = isQuiet ? undefined : consentOf(ctx)
  if (consent) consent.changed = true
}

/**
 * Records an approval of the user, if a build without a sandbox or an incomplete search was a reason to ask.
 */
export function noteApproval({ reasons }: PermissionDecision, ctx: Ctx): void {
  const consent = consentOf(ctx)
  if (!consent) return
  if (reasons.some(({ text }) => text.includes(unconfinedBuild))) consent.approved = true
  if (reasons.some(({ text }) => text.includes(unsearchedPlaces))) consent.unsearched = true
}
