// Mailboxes of studies in a Redis server. Each call is one script. States, order and limits are those
// of local mailboxes.
import { FailureError } from '../../base/errors.ts'
import { createUlid } from '../../base/ids.ts'
import type { Mailbox } from '../../store/mail/mailbox.ts'
import { expiryMs, leaseMs } from '../../store/mail/receive.ts'
import { checkMessage, makeMailboxFullError } from '../../store/mail/send.ts'
import type { MailDelivery, MailMessage, OutgoingMessage, SendReceipt } from '../../store/store.ts'
import acknowledge from './lua/mailbox/acknowledge.lua'
import list from './lua/mailbox/list.lua'
import common from './lua/mailbox/mail.lua'
import mark from './lua/mailbox/mark.lua'
import receive from './lua/mailbox/receive.lua'
import release from './lua/mailbox/release.lua'
import post from './lua/mailbox/send.lua'
import waiting from './lua/mailbox/waiting.lua'
import { type LuaScript, makeLuaScript } from './lua-script.ts'
import type { RedisServer } from './server.ts'

const mailboxScripts = Object.fromEntries(
  Object.entries({ acknowledge, list, mark, post, receive, release, waiting }).map(([name, body]) => [
    name,
    makeLuaScript(common, body),
  ]),
) as Record<'acknowledge' | 'list' | 'mark' | 'post' | 'receive' | 'release' | 'waiting', LuaScript>

/** The texts of a message, stored as its sender wrote them. */
type MessageTexts = Pick<MailMessage, 'from' | 'to' | 'type' | 'body' | 'meta'>

interface StoredMessage {
  id: string
  text: string
  created: number
  expires: number
  attempts: number
}

interface StoredDelivery extends StoredMessage {
  box: string
  state: MailDelivery['state']
  reason?: string
  owner?: string
  untilMs?: number
}

interface SendReply {
  id: string
  duplicate?: boolean
  refused?: boolean
  open?: string[]
  dead?: string[]
  full?: string[]
}

/**
 * Creates the mailboxes. `prefix` returns the prefix of a scope's keys. `now` is for tests; by default the
 * server's clock is used.
 */
export function redisMailbox(
  server: RedisServer,
  prefix: (scope: string) => string,
  now?: () => number,
): Mailbox {
  const run = <T>(scope: string, name: keyof typeof mailboxScripts, args: object, writes = true) =>
    server.run<T>(mailboxScripts[name], prefix(scope), { ...args, now: now ? now() : undefined }, writes)
  return {
    async send(message) {
      checkMessage(message)
      const { scope, to } = message
      const answer = await run<SendReply>(scope, 'post', composeMessage(message))
      if (answer.refused) throw makeMailboxFullError(scope, to)
      return toReceipt(answer)
    },
    async receive({ scope, recipient, owner, limit, peek, maxBytes, ...over }) {
      const lease = over.leaseMs ?? leaseMs
      const args = { box: encodeName(recipient), owner, limit, peek, leaseMs: lease, remember: lease }
      const { messages } = await run<{ messages: StoredMessage[] | object }>(
        scope,
        'receive',
        { ...args, maxBytes },
        !peek,
      )
      return listOf(messages).map((storedMessage) => readMessage(scope, storedMessage))
    },
    waiting: async (scope, recipient) => run(scope, 'waiting', { box: encodeName(recipient) }, false),
    async acknowledge(scope, recipient, ids, step) {
      if (ids.length === 0) return
      await run(scope, 'acknowledge', { box: encodeName(recipient), ids, step })
    },
    async release(scope, recipient, ids) {
      if (ids.length > 0) await run(scope, 'release', { box: encodeName(recipient), ids })
    },
    join: async (scope, name) => void (await run(scope, 'mark', { box: encodeName(name), ended: false })),
    leave: async (scope, name) => void (await run(scope, 'mark', { box: encodeName(name), ended: true })),
    async list({ scope, recipient, states, limit }) {
      const { deliveries } = await run<{ deliveries: StoredDelivery[] | object }>(
        scope,
        'list',
        {
          box: recipient === undefined ? undefined : encodeName(recipient),
          states: states ? Object.fromEntries(states.map((state) => [state, true])) : undefined,
          limit: limit || undefined,
        },
        false,
      )
      return listOf(deliveries).map((delivery) => ({
        message: readMessage(scope, delivery),
        recipient: decodeURIComponent(delivery.box),
        state: delivery.state,
        reason: delivery.reason ?? null,
        leaseOwner: delivery.owner ?? null,
        leaseUntil: delivery.untilMs ?? null,
      }))
    },
  }
}

/** Encodes a name, because a name may contain spaces and the scripts use spaces as separators. */
const encodeName = (name: string) => encodeURIComponent(name.toWellFormed())

function composeMessage({
  from,
  to,
  type,
  body,
  meta = {},
  dedupeKey,
  dedupeMs,
  expiresMs,
}: OutgoingMessage): object {
  const text: MessageTexts = { from, to, type, body, meta }
  return {
    id: createUlid(),
    from: encodeName(from),
    to: encodeName(to),
    type,
    text: JSON.stringify(text),
    // The limit of a reader counts body and metadata in their JSON form.
    size: Buffer.byteLength(JSON.stringify(body)) + Buffer.byteLength(JSON.stringify(meta)),
    expiresMs: expiresMs ?? expiryMs,
    key: dedupeKey === undefined ? undefined : `${encodeName(to)} ${encodeName(dedupeKey)}`,
    keyMs: dedupeMs,
  }
}

/**
 * Returns the receipt of a sent message. Its recipients are sorted by name, with the mailbox
 * for broadcasts last.
 */
function toReceipt({ id, duplicate = false, open, dead, full }: SendReply): SendReceipt {
  const names = (list: string[] | object | undefined) =>
    listOf<string>(list)
      .map((name) => decodeURIComponent(name))
      .sort((a, b) => Number(a === 'broadcast') - Number(b === 'broadcast') || (a < b ? -1 : 1))
  return { id, deliveredTo: names(open), duplicate, dead: names(dead), full: names(full) }
}

function readMessage(scope: string, { id, text, created, expires, attempts }: StoredMessage): MailMessage {
  return { id, scope, ...(JSON.parse(text) as MessageTexts), created, expires, attempts }
}

/**
 * Returns a list from a script. Lua cannot represent an empty list, so an empty list arrives as
 * an empty object.
 */
function listOf<T>(value: readonly T[] | object | undefined): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : []
}

/**
 * Returns the study of a scope. Throws FailureError for any other scope, because only studies have mailboxes
 * on a server.
 */
export function studyOf(scope: string): string {
  if (scope.startsWith('study:')) return scope.slice('study:'.length)
  throw new FailureError({ code: 'bad_args', message: `${scope} is not the mailbox scope of a study` })
}
