// Access to the store and the mailboxes for tools that keep something.
import { FailureError } from '../base/errors.ts'
import type { Level } from '../policy/level.ts'
import { localMailbox, type Mailbox } from '../store/mail/mailbox.ts'
import { isStudyScope, resolveMailboxScope } from '../store/mail/scope.ts'
import type { Store } from '../store/store.ts'
import type { Ctx } from '../tool/ctx.ts'

const reason = 'nothing can be kept in this session: it has no data directory'

/** For `available`: whether the session can keep things at all. */
export function hasStore(ctx: Ctx): true | string {
  return ctx.can.records.store ? true : reason
}

/** Opens the store on first use. Throws FailureError `unavailable` where there is none. */
export async function storeOf(ctx: Ctx): Promise<Store> {
  const store = await ctx.can.records.store?.()
  if (!store) throw new FailureError({ code: 'unavailable', message: reason })
  return store
}

/** The mailboxes of a scope, wherever they are kept. Throws as `storeOf`. */
export async function mailOf(ctx: Ctx, scope: string): Promise<Mailbox> {
  return isStudyScope(scope) && ctx.can.records.mail
    ? ctx.can.records.mail(scope)
    : localMailbox((await storeOf(ctx)).mail)
}
/**
 * The level of a call that names mailboxes: an agent that names others than its own has to ask, since they
 * belong to another project or study. A person's script says itself what it means.
 */
export function raiseForeignScope(own: Level, asked: string | undefined, ctx: Ctx | undefined): Level {
  if (!asked || !ctx || (ctx.thread === undefined && !ctx.env['ANODE_MAILBOX_SCOPE'])) return own
  return asked === resolveMailboxScope(undefined, ctx.env, ctx.policy.roots.workspace)
    ? own
    : 'confirm_execute'
}
