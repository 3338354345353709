// Access to the store and the mailboxes for tools that store data.
import { FailureError } from '../base/errors.ts'
import type { Level } from '../policy/level.ts'
import { localMailbox, type Mailbox } from '../store/mail/mailbox.ts'
import { isStudyScope, resolveMailboxScope } from '../store/mail/scope.ts'
import type { Store } from '../store/store.ts'
import type { Ctx } from '../tool/ctx.ts'

const reason = 'nothing can be kept in this session: it has no data directory'

/** Returns true if the session has a store, otherwise the reason why not, for the `available` of a tool. */
export function hasStore(ctx: Ctx): true | string {
  return ctx.can.records.store ? true : reason
}

/** Opens the store on first use. Throws FailureError `unavailable` for a session without a store. */
export async function storeOf(ctx: Ctx): Promise<Store> {
  const store = await ctx.can.records.store?.()
  if (!store) throw new FailureError({ code: 'unavailable', message: reason })
  return store
}

/**
 * Returns the mailboxes of a scope (a project or a study) from the store that has them. Throws as `storeOf`.
 */
export async function mailOf(ctx: Ctx, scope: string): Promise<Mailbox> {
  return isStudyScope(scope) && ctx.can.records.mail
    ? ctx.can.records.mail(scope)
    : localMailbox((await storeOf(ctx)).mail)
}
/**
 * Returns the level `confirm_execute`, which needs approval, if `scope` is another project or study and the
 * call comes from an agent or has ANODE_MAILBOX_SCOPE in its environment. Otherwise returns `level`, because
 * a script of a user may name any mailboxes.
 */
export function raiseForeignScope(level: Level, scope: string | undefined, ctx: Ctx | undefined): Level {
  if (!scope || !ctx || (ctx.thread === undefined && !ctx.env['ANODE_MAILBOX_SCOPE'])) return level
  return scope === resolveMailboxScope(undefined, ctx.env, ctx.policy.roots.workspace)
    ? level
    : 'confirm_execute'
}
