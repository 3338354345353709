// A worker's mailbox, and its tools as a study runs them: interrupted by urgent mail, acknowledged with the
// step that holds their text.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FailureCode } from '../../base/errors.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import type { Mailbox } from '../../store/mail/mailbox.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import { failedResult, type ToolResult } from '../../tool/result.ts'
import type { Tool } from '../../tool/tool.ts'
import { type DeliveredMessage, toStudyEntry } from '../log/entries.ts'
import type { CallNotes } from './result-recorder.ts'

export interface MailInbox {
  /**
   * Messages for this worker that have not yet stood in a prompt; those in `known` are acknowledged again.
   */
  receive(known: ReadonlySet<string>): Promise<DeliveredMessage[]>
  /**
   * After the step that holds them is in the log: these messages, and what tools have taken out of mailboxes.
   */
  acknowledge(ids: readonly string[], step: string): Promise<void>
  /** To be settled with the next step. */
  acknowledgeLater(settle: () => Promise<void>): void
  /** Aborts when a message that cannot wait is in the box; a new one after each look. */
  readonly urgent: AbortSignal
  /** Looks for such a message. */
  pollUrgent(): Promise<void>
}

const none = new AbortController().signal

/** For conversations without a mailbox. */
export const emptyInbox: MailInbox = {
  receive: async () => [],
  acknowledge: async () => undefined,
  acknowledgeLater: () => undefined,
  urgent: none,
  pollUrgent: async () => undefined,
}

/** Mail is leased under `owner`, so that a worker that takes over is not mistaken for the one before. */
export function openMailInbox(mail: Mailbox, scope: string, name: string, owner: string): MailInbox {
  let urgent = new AbortController()
  let waiting: (() => Promise<void>)[] = []
  const query = { scope, recipient: name, owner, limit: 20, maxBytes: 49_152 }
  return {
    async receive(known) {
      const found = await mail.receive({ ...query, peek: false })
      urgent = new AbortController()
      const alreadyRead = found.filter(({ id }) => known.has(id)).map(({ id }) => id)
      await mail.acknowledge(scope, name, alreadyRead)
      return found
        .filter(({ id }) => !known.has(id))
        .map(({ id, from, type, body }) => ({ id, from, type, body }))
    },
    async acknowledge(ids, step) {
      const now = waiting
      waiting = []
      if (ids.length > 0) await mail.acknowledge(scope, name, ids, step)
      for (const done of now) await done()
    },
    acknowledgeLater: (settle) => void waiting.push(settle),
    get urgent() {
      return urgent.signal
    },
    async pollUrgent() {
      const { queued } = await mail.waiting(scope, name)
      if (queued === 0 || urgent.signal.aborted) return
      const found = await mail.receive({ ...query, peek: true })
      if (found.some(({ meta }) => meta['urgent'] === true))
        urgent.abort(new Error('an urgent message has come'))
    },
  }
}

/**
 * What a dead attempt had leased comes free at once; what stood in one of its prompts is acknowledged,
 * because the step of `task` that holds it is on record. To be called by whoever holds the task now.
 */
export async function releaseMail(
  mail: Mailbox,
  scope: string,
  name: string,
  lines: readonly JournalLine[],
  task = name,
): Promise<void> {
  const leased = await mail.list({ scope, recipient: name, states: ['leased'] })
  if (leased.length === 0) return
  const read = readIn(lines, task)
  const ids = leased.map(({ message }) => message.id)
  await mail.release(
    scope,
    name,
    ids.filter((id) => !read.has(id)),
  )
  for (const [id, step] of read) if (ids.includes(id)) await mail.acknowledge(scope, name, [id], step)
}

/** By id of a message: the step of the task in whose prompt it stood. */
function readIn(lines: readonly JournalLine[], task: string): Map<string, string> {
  return new Map(
    lines
      .map(toStudyEntry)
      .flatMap(({ kind, data }) =>
        kind === 'step' && data.task === task
          ? data.mail.map(({ id }): [string, string] => [id, `${task}.${data.n}`])
          : [],
      ),
  )
}

interface ToolWrapping extends CallNotes {
  mailInbox: MailInbox
  check(): Promise<void>
}

/** Failures that say nothing about the call itself. */
const foreign: ReadonlySet<FailureCode> = new Set([
  'cancelled',
  'timeout',
  'command_failed',
  'io',
  'internal',
])

/** A group that is killed does not die at once: a program may be gone for so long before the news is here. */
const newsMs = 500

/**
 * The same tools; each call can be interrupted, is followed by a look at the world, and confirms nothing by
 * itself.
 */
export function wrapTools(tools: readonly ListedTool[], wrapping: ToolWrapping): ListedTool[] {
  return tools.map((listed) => ({ ...listed, load: async () => guarded(await listed.load(), wrapping) }))
}

function guarded(tool: Tool, { mailInbox, times, cutOff, check }: ToolWrapping): Tool {
  return {
    ...tool,
    async run(args, ctx) {
      const started = performance.now()
      const { urgent } = mailInbox
      const signal = AbortSignal.any([ctx.signal, urgent])
      const { settle, ...result } = await tool
        .run(args, { ...ctx, signal })
        .catch((error: unknown): ToolResult => {
          if (!urgent.aborted || ctx.signal.aborted) throw error
          return failedResult('cancelled', `${tool.name} was interrupted by an urgent message`)
        })
      times.set(ctx.call.modelCall ?? ctx.call.id, performance.now() - started)
      if (settle) mailInbox.acknowledgeLater(settle)
      if (result.failed && foreign.has(result.failed.code) && !urgent.aborted) {
        cutOff.add(ctx.call.modelCall ?? ctx.call.id)
        if (!ctx.signal.aborted) await sleep(newsMs)
      }
      await check()
      return result
    },
  }
}
