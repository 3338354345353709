// The messages that workers of a study have read.
import type { DeliveredMessage } from './entries.ts'

/** Messages in prompts: their number, and the latest 50, each with the task that read it. */
export interface ReadMail {
  count: number
  newest: readonly (DeliveredMessage & { to: string })[]
}

/** Largest number of messages that are kept; the log contains all of them. */
const maxKeptMail = 50

/** Returns the messages with those that the task has read in one step. */
export function addReadMail(before: ReadMail, task: string, mail: readonly DeliveredMessage[]): ReadMail {
  if (mail.length === 0) return before
  const read = mail.map((message) => ({ ...message, to: task }))
  return { count: before.count + mail.length, newest: [...before.newest, ...read].slice(-maxKeptMail) }
}
