// Hands the store and the mailboxes to tools that keep something.
import { FailureError } from '../base/errors.ts'
import { localMailbox, type Mailbox } from '../store/mail/mailbox.ts'
import { isStudy } from '../store/mail/scope.ts'
import type { Store } from '../store/store.ts'
import type { Ctx } from './ctx.ts'

const reason = 'nothing can be kept in this session: it has no data directory'

/** For `available`: whether the session can keep things at all. */
export function hasStore(ctx: Ctx): true | string {
  return ctx.can.store ? true : reason
}

/** Opens the store on first use. Throws FailureError `unavailable` where there is none. */
export async function storeOf(ctx: Ctx): Promise<Store> {
  const store = await ctx.can.store?.()
  if (!store) throw new FailureError({ code: 'unavailable', message: reason })
  return store
}

/** The mailboxes of a scope, wherever they are kept. Throws as `storeOf`. */
export async function mailOf(ctx: Ctx, scope: string): Promise<Mailbox> {
  return isStudy(scope) && ctx.can.mail ? ctx.can.mail(scope) : localMailbox((await storeOf(ctx)).mail)
}
