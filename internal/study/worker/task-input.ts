// Input of a task's session between two steps: mail, and notes of the program if the task makes no progress.
import type { ModelMessage } from '../../model/model.ts'
import { contentText } from '../../model/tokens.ts'
import type { DeliveredMessage } from '../log/entries.ts'
import type { MailInbox } from './mail-inbox.ts'
import { mailMessage, type ReplayedTask } from './task-replay.ts'
import type { SessionStop } from './task-stop.ts'
import type { PromptAdditions } from './worker-budget.ts'

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
