// Messages of a session that the model has not received, recorded until they are delivered or withdrawn.
import { splitContent } from '../../agent/messages.ts'
import { createUlid } from '../../base/ids.ts'
import { createWakeUp } from '../../base/wake-up.ts'
import type { EventDraft, EventPayload } from '../../event/event.ts'
import type { MessageContent } from '../../model/model.ts'
import type { FileMention } from '../../session/commands.ts'
import type { AttachedDocument } from './mentions/split-documents.ts'

export interface SessionMessage {
  content: MessageContent
  files: readonly FileMention[]
  documents?: readonly AttachedDocument[]
  /**
   * Skill whose instructions are sent with the message. It is not stored, so it is lost if the process ends
   * before the message is sent.
   */
  skill?: { name: string; input: string }
}

interface WaitingMessage extends SessionMessage {
  id: string
  kind: 'steer' | 'queue'
}

/**
 * The id of a queued message, and its data that the recorded event does not contain. A process that continues
 * the session needs both.
 */
export interface CarriedMessage extends Pick<WaitingMessage, 'id' | 'files' | 'skill'> {}

export interface MessageQueue {
  add(kind: WaitingMessage['kind'], message: SessionMessage): Promise<void>
  /** Removes and returns all messages of one kind, for delivery. */
  takeAll(kind: WaitingMessage['kind']): Promise<WaitingMessage[]>
  takeFirst(): Promise<WaitingMessage | undefined>
  /** Withdraws a message. Resolves to false if it was already delivered or withdrawn, or never queued. */
  takeBack(id: string): Promise<boolean>
  /**
   * Resolves when a steering message, which is for the active run, waits for delivery. Rejects
   * when `signal` aborts.
   */
  nextSteering(signal: AbortSignal): Promise<void>
  /** Restores a message that an earlier process recorded. */
  restore(queued: EventPayload<'message.queued'>): void
  forget(id: string): void
  carried(): CarriedMessage[]
}

/**
 * Creates the queue. `carried` has the unrecorded data of messages that were queued in an earlier process.
 */
export function createMessageQueue(
  report: (draft: EventDraft) => Promise<void>,
  carried: readonly CarriedMessage[] = [],
): MessageQueue {
  let waiting: WaitingMessage[] = []
  const steered = createWakeUp(() => waiting.some(({ kind }) => kind === 'steer'))
  const leave = (id: string, isGiven: boolean) =>
    report({ type: 'message.unqueued', payload: { id, given: isGiven } })
  const take = async (messages: readonly WaitingMessage[]) => {
    waiting = waiting.filter((one) => !messages.includes(one))
    for (const { id } of messages) await leave(id, true)
  }
  return {
    async add(kind, message) {
      const queued = { id: createUlid(), kind }
      waiting.push({ ...queued, ...message })
      if (kind === 'steer') steered.wake()
      const { text, images } = splitContent(message.content)
      const documents = message.documents?.map(({ name, base64 }) => ({ name, base64 })) ?? []
      await report({
        type: 'message.queued',
        payload: {
          id: queued.id,
          kind,
          text,
          images: images.length > 0 ? images : undefined,
          documents: documents.length > 0 ? documents : undefined,
        },
      })
    },
    async takeAll(kind) {
      const messages = waiting.filter((one) => one.kind === kind)
      await take(messages)
      return messages
    },
    async takeFirst() {
      const [first] = waiting
      if (first) await take([first])
      return first
    },
    async takeBack(id) {
      if (!waiting.some((one) => one.id === id)) return false
      waiting = waiting.filter((one) => one.id !== id)
      await leave(id, false)
      return true
    },
    nextSteering: (signal) => steered.next(signal),
    restore({ id, kind, text, images = [], documents = [] }) {
      const content = images.length === 0 ? text : [{ type: 'text' as const, text }, ...images]
      waiting.push({ id, kind, content, files: [], documents, ...carried.find((one) => one.id === id) })
    },
    carried: () => waiting.map(({ id, files, skill }) => ({ id, files, skill })),
    forget(id) {
      waiting = waiting.filter((one) => one.id !== id)
    },
  }
}
