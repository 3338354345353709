// The tool send_message: posts a message to a mailbox.
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { countNoun } from '../../base/text/count-noun.ts'
import { aggregatorMailbox, isStudyScope, resolveMailboxScope } from '../../store/mail/scope.ts'
import type { OutgoingMessage, SendReceipt } from '../../store/store.ts'
import { field } from '../../tool/field.ts'
import { failedResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { hasStore, mailOf, raiseForeignScope } from '../../tool-support/storage.ts'
import about from './send_message.md'

/**
 * Time in milliseconds within which a study drops a second message without `dedupe_key` that has the same
 * sender, recipient, type and text.
 */
const studyDedupeMs = 600_000

const name = z.string().check(z.minLength(1), z.maxLength(200))

const input = z.object({
  recipient: field(name, 'Name of the mailbox', { aliases: ['to'] }),
  message: field(z.string().check(z.minLength(1)), 'Text, at most 64 KiB', { aliases: ['body'] }),
  type: field(
    z._default(z.enum(['status', 'question', 'result', 'error', 'broadcast']), 'status'),
    'Kind of message; error and question are read first',
  ),
  from: field(z._default(name, 'anode'), 'Label of the sender', { offer: 'never' }),
  metadata: field(z.optional(z.record(z.string(), z.unknown())), 'More keys and values', {
    offer: 'never',
  }),
  dedupe_key: field(z.optional(name), 'Key; a second message with it is dropped', { offer: 'never' }),
  expires_s: field(z.optional(z.int().check(z.minimum(1))), 'Seconds until it is deleted; default 7 days', {
    cap: 2_592_000,
    offer: 'never',
  }),
  scope: field(z.optional(name), 'Study or repository; default: this one', { offer: 'never' }),
})

export const sendMessage = defineTool({
  name: 'send_message',
  about,
  input,
  example: { recipient: aggregatorMailbox, message: 'phase 1 complete', type: 'result', from: 'worker-a' },
  level: 'state_write',
  access: ({ scope }, ctx) => ({ level: raiseForeignScope('state_write', scope, ctx) }),
  available: hasStore,
  async run(args, ctx) {
    const scope = resolveMailboxScope(args.scope, ctx.env, ctx.policy.roots.workspace)
    // In the scope of a study, the sender is the mailbox of the process, even if the call names another
    // sender. A process without a mailbox uses the sender of the call.
    const mailboxName = isStudyScope(scope) ? ctx.env['ANODE_MAILBOX_NAME'] : undefined
    const from = mailboxName ?? args.from
    const mail = await mailOf(ctx, scope)
    const posted = await mail.send(composeMessage(args, scope, from))
    const data = {
      ok: posted.deliveredTo.length > 0 || posted.duplicate,
      id: posted.id,
      scope,
      from,
      from_overridden: from === args.from ? undefined : args.from,
      delivered_to: posted.deliveredTo,
      duplicate: posted.duplicate,
      full: posted.full,
    }
    if (!data.ok) {
      return failedResult('dead_recipient', `${args.recipient} has ended and reads no more messages`, {
        hint: 'The message is kept as dead and shown to aggman.',
        data,
      })
    }
    return { text: describeReceipt(args.recipient, scope, posted), data }
  },
})

function composeMessage(args: z.output<typeof input>, scope: string, from: string): OutgoingMessage {
  const { recipient: to, message: body, type, metadata, dedupe_key, expires_s } = args
  const dedupe = dedupe_key
    ? { dedupeKey: dedupe_key }
    : isStudyScope(scope)
      ? { dedupeKey: hashParts([from, to, type, body]), dedupeMs: studyDedupeMs }
      : {}
  return {
    scope,
    from,
    to,
    type,
    body,
    ...dedupe,
    meta: metadata,
    expiresMs: expires_s ? expires_s * 1000 : undefined,
  }
}

const hashParts = (parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

function describeReceipt(
  to: string,
  scope: string,
  { id, deliveredTo, duplicate, full }: SendReceipt,
): string {
  if (duplicate) return `not sent again: message ${id} to ${to} says the same (scope ${scope})`
  const where = to === 'broadcast' ? describeRecipients(deliveredTo) : to
  const passed = full.length > 0 ? `\nleft out because they are full: ${full.join(', ')}` : ''
  return `sent ${id} to ${where} (scope ${scope})${passed}`
}

/**
 * Describes the recipients of a broadcast: the number and names of the mailboxes that received it, or
 * `everybody` if only the shared mailbox `broadcast` did.
 */
function describeRecipients(mailboxes: readonly string[]): string {
  if (mailboxes.every((name) => name === 'broadcast')) return 'everybody'
  return `${countNoun(mailboxes.length, 'mailbox', 'mailboxes')}: ${mailboxes.join(', ')}`
}
