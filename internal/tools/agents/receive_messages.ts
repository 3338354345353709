// The tool receive_messages: receives the messages of a mailbox, or shows them without receiving them.
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Mailbox } from '../../store/mail/mailbox.ts'
import { aggregatorMailbox, resolveMailboxScope } from '../../store/mail/scope.ts'
import type { MailMessage } from '../../store/store.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import { hasStore, mailOf, raiseForeignScope } from '../../tool-support/storage.ts'
import about from './receive_messages.md'

/**
 * Largest number of bytes of the messages in one result, counted by their bodies and metadata; a larger first
 * message is returned alone. Further messages wait for the next call, so that none is marked as received
 * before it is read.
 */
const room = 49_152

const name = z.string().check(z.minLength(1), z.maxLength(200))

export const receiveMessages = defineTool({
  name: 'receive_messages',
  about,
  input: z.object({
    recipient: field(name, 'Name of the mailbox to read'),
    peek: field(z._default(z.boolean(), false), 'true: leave the messages in the mailbox'),
    limit: field(z._default(z.int().check(z.minimum(1)), 100), 'Messages to return', {
      cap: 1_000,
    }),
    wait_ms: field(z._default(z.int().check(z.minimum(0)), 0), 'Milliseconds to wait for a first message', {
      cap: 30_000,
    }),
    scope: field(z.optional(name), 'Study or repository; default: this one', { offer: 'never' }),
  }),
  example: { recipient: aggregatorMailbox },
  level: 'auto_read',
  access: ({ scope }, ctx) => ({ level: raiseForeignScope('auto_read', scope, ctx) }),
  available: hasStore,
  // The limit fits every message of 64 KiB with its heading, because the cut part of a truncated message
  // would be lost.
  clip: { chars: 262_144, lines: Number.POSITIVE_INFINITY, keep: 'head', isWhole: true },
  async run({ recipient, peek, limit, wait_ms, scope: requestedScope }, ctx) {
    const scope = resolveMailboxScope(requestedScope, ctx.env, ctx.policy.roots.workspace)
    const mail = await mailOf(ctx, scope)
    // The owner's name includes the process id: a reader that restarts after a crash must differ from the
    // crashed one, for which messages are still reserved.
    const owner = `${ctx.thread ?? 'direct'} ${process.pid}`
    const take = () =>
      mail.receive({
        scope,
        recipient,
        owner,
        limit,
        peek,
        maxBytes: Math.min(room, ctx.agent?.resultRoom ?? room),
      })
    const messages = await waitFor(take, mail, { scope, recipient, forMs: wait_ms, signal: ctx.signal })
    const remainingMail = await mail.waiting(scope, recipient)
    if (!peek) remainingMail.leased -= messages.length
    const ids = messages.map((message) => message.id)
    return {
      text: describeMessages(messages, { recipient, scope, peek, left: remainingMail }),
      data: { recipient, scope, peek, messages: messages.map(shapeMessage), left: remainingMail },
      ...(!peek && ids.length > 0 && { settle: () => mail.acknowledge(scope, recipient, ids, ctx.call.id) }),
    }
  },
})

interface WaitOptions {
  scope: string
  recipient: string
  forMs: number
  signal: AbortSignal
}

/**
 * Takes messages from the mailbox, and tries again until some arrive: first after 10 ms, later every
 * quarter of a second. Resolves to an empty list after `forMs` milliseconds without a message; rejects if
 * the signal is aborted.
 */
async function waitFor(
  take: () => Promise<MailMessage[]>,
  mail: Mailbox,
  { scope, recipient, forMs, signal }: WaitOptions,
): Promise<MailMessage[]> {
  const end = performance.now() + forMs
  let messages = await take()
  for (let pause = 10; messages.length === 0 && performance.now() < end; pause = Math.min(pause * 1.5, 250)) {
    signal.throwIfAborted()
    await sleep(Math.min(pause, Math.max(1, end - performance.now())), undefined, { signal })
    if ((await mail.waiting(scope, recipient)).queued > 0) messages = await take()
  }
  return messages
}

function shapeMessage({ id, from, to, type, body, meta, created, attempts }: MailMessage) {
  return {
    id,
    from,
    recipient: to,
    type,
    message: body,
    metadata: meta,
    created: new Date(created).toISOString(),
    attempts,
  }
}

interface MailboxState {
  recipient: string
  scope: string
  peek: boolean
  left: { queued: number; leased: number }
}

function describeMessages(
  messages: readonly MailMessage[],
  { recipient, scope, peek, left: remainingMail }: MailboxState,
): string {
  const count =
    messages.length === 0 ? 'No messages' : `${messages.length} message${messages.length > 1 ? 's' : ''}`
  const waiting = peek ? remainingMail.queued - messages.length : remainingMail.queued
  const lines = [`${count} for ${recipient} (scope ${scope})${peek ? ', left where they are' : ''}`]
  for (const { id, from, type, body, meta, created, attempts } of messages) {
    const attemptNote = attempts > 1 ? `, handed out ${attempts} times` : ''
    lines.push(
      '',
      `--- ${type} from ${from}, ${new Date(created).toISOString()}, id ${id}${attemptNote}`,
      body,
    )
    if (Object.keys(meta).length > 0) lines.push(`metadata ${JSON.stringify(meta)}`)
  }
  if (waiting > 0) lines.push('', `… ${waiting} more wait; receive again`)
  if (remainingMail.leased > 0) lines.push('', `${remainingMail.leased} are being read by another reader`)
  return lines.join('\n')
}
