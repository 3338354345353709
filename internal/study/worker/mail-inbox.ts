// Inbox of a worker's messages, tools that react to them, and what a task gets of them as input. An urgent
// message interrupts a call. A message is acknowledged once the step whose prompt contained it is recorded.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FailureCode } from '../../base/errors.ts'
import type { ModelMessage } from '../../model/model.ts'
import { contentText } from '../../model/tokens.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import type { Mailbox } from '../../store/mail/mailbox.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import { failedResult, type ToolResult } from '../../tool/result.ts'
import type { Tool } from '../../tool/tool.ts'
import { type DeliveredMessage, toStudyEntry } from '../log/entries.ts'
import type { CallNotes } from './result-recorder.ts'
import { mailMessage, type ReplayedTask } from './task-replay.ts'
import type { SessionStop } from './task-stop.ts'
import type { PromptAdditions } from './worker-budget.ts'

export interface MailInbox {
  /**
   * Returns at most 20 messages (48 KiB) for this worker that were not in a prompt before. Messages in
   * `known` were in a prompt, so they are acknowledged again and not returned.
   */
  receive(known: ReadonlySet<string>): Promise<DeliveredMessage[]>
  /**
   * Acknowledges the messages `ids`, and those that tools have taken from mailboxes. It is called after the
   * step whose prompt contained them is in the log.
   */
  acknowledge(ids: readonly string[], step: string): Promise<void>
  /**
   * Adds an action, such as acknowledging messages that a tool returned, to run with
   * the next acknowledgement.
   */
  acknowledgeLater(settle: () => Promise<void>): void
  /** Aborts when an urgent message arrives. After that, the next call of `receive` creates a new signal. */
  readonly urgent: AbortSignal
  /** Checks whether an urgent message has arrived, and aborts `urgent` if one has. */
  pollUrgent(): Promise<void>
}

const none = new AbortController().signal

/** Inbox for conversations that have no mailbox. */
export const emptyInbox: MailInbox = {
  receive: async () => [],
  acknowledge: async () => undefined,
  acknowledgeLater: () => undefined,
  urgent: none,
  pollUrgent: async () => undefined,
}

/** Opens the inbox. Mail is leased under the name `owner`, which differs for each worker of a task. */
export function openMailInbox(mail: Mailbox, scope: string, name: string, owner: string): MailInbox {
  let urgent = new AbortController()
  let waiting: (() => Promise<void>)[] = []
  const query = { scope, recipient: name, owner, limit: 20, maxBytes: 49_152 }
  return {
    async receive(knownIds) {
      const messages = await mail.receive({ ...query, peek: false })
      urgent = new AbortController()
      const alreadyRead = messages.filter(({ id }) => knownIds.has(id)).map(({ id }) => id)
      await mail.acknowledge(scope, name, alreadyRead)
      return messages
        .filter(({ id }) => !knownIds.has(id))
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
      const messages = await mail.receive({ ...query, peek: true })
      if (messages.some(({ meta }) => meta['urgent'] === true))
        urgent.abort(new Error('an urgent message has come'))
    },
  }
}

/**
 * Releases messages that a worker had leased before it died. Messages that were in one of its prompts are
 * acknowledged, because the step of `task` with that prompt is recorded. The caller has to own the task.
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

/** Returns, by the id of each message in a prompt of the task, the step with that prompt. */
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

/** Error codes of failures that the call itself did not cause. */
const foreign: ReadonlySet<FailureCode> = new Set([
  'cancelled',
  'timeout',
  'command_failed',
  'io',
  'internal',
])

/**
 * Milliseconds to wait after a program was killed, because the stop that caused it may become
 * known here later.
 */
const newsMs = 500

/**
 * Wraps the tools. An urgent message can interrupt each call, `check` runs after each call, and mail that a
 * call returns is acknowledged only with the recorded step.
 */
export function wrapTools(tools: readonly ListedTool[], wrapping: ToolWrapping): ListedTool[] {
  return tools.map((listed) => ({ ...listed, load: async () => guardTool(await listed.load(), wrapping) }))
}

function guardTool(tool: Tool, { mailInbox, times, cutOff, check }: ToolWrapping): Tool {
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

/**
 * Number of consecutive steps without new evidence after which a reminder is sent; after as many again,
 * the work stops.
 */
const maxIdleSteps = 3
const nudge =
  'Your last three steps brought nothing new. Try another place or other words once, or answer ' +
  'now with what you have and name the rest as gaps.'

export interface TaskInput {
  /**
   * Records the results of the last step, then returns the messages to add. Returns an empty list once the
   * session has stopped.
   */
  receive(): Promise<ModelMessage[]>
  /** Returns the additions to the next prompt since the last response, other than results of calls. */
  additions(): PromptAdditions
  /** Acknowledges the messages that were added. Called once the response to them is recorded as `step`. */
  acknowledge(additions: PromptAdditions, step: string): Promise<void>
  /** Stops counting steps without new evidence, because no further search is expected. */
  close(): void
}

interface TaskInputOptions {
  task: ReplayedTask
  mailInbox: MailInbox
  sessionStop: SessionStop
  recordResults(): Promise<void>
}

export function createTaskInput(options: TaskInputOptions): TaskInput {
  const { task, mailInbox, sessionStop, recordResults } = options
  const { messages } = task
  const waiting: DeliveredMessage[] = []
  let noted = messages.length
  let isClosing = false

  /**
   * Counts steps without new evidence, and stops the session after too many. Returns the reminder as a list
   * of one if it is due.
   */
  const noteIdleness = (): ModelMessage[] => {
    const last = messages.at(-1)
    const isAnswered = last?.role === 'assistant' && last.calls === undefined
    const { fresh } = task
    task.fresh = 0
    if (isAnswered || isClosing || task.steps === 0) return []
    task.idle = fresh > 0 ? 0 : task.idle + 1
    if (task.idle >= maxIdleSteps * 2) sessionStop.stop({ why: 'stalled' })
    return task.idle === maxIdleSteps ? [{ role: 'user', content: nudge, origin: 'note' }] : []
  }
  return {
    async receive() {
      await recordResults()
      await sessionStop.check(true)
      if (sessionStop.stopped) return []
      const mail = (await mailInbox.receive(task.mail)).filter(
        ({ id }) => !waiting.some((one) => one.id === id),
      )
      waiting.push(...mail)
      return [...mail.map(mailMessage), ...noteIdleness()]
    },
    additions: () => ({ mail: [...waiting], notes: notesIn(messages.slice(noted)) }),
    async acknowledge({ mail, notes }, step) {
      noted = messages.length
      waiting.splice(0, mail.length)
      task.notes.push(...notes)
      const ids = mail.map(({ id }) => id)
      for (const id of ids) task.mail.add(id)
      await mailInbox.acknowledge(ids, step)
    },
    close() {
      isClosing = true
    },
  }
}

function notesIn(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'user' && message.origin === 'note' ? [contentText(message.content)] : [],
  )
}
