// Gathers the messages that are posted in one tick into one transaction: many senders, one wait for the disk.
import { FailureError } from '../../base/errors.ts'
import type { DatabaseConnection } from '../connection.ts'
import type { OutgoingMessage, SendReceipt } from '../store.ts'

interface PendingSend {
  message: OutgoingMessage
  done: (receipt: SendReceipt) => void
  fail: (error: unknown) => void
}

/**
 * `store` writes one message inside a transaction and throws before it has written anything if it refuses it;
 * a refusal is that message's alone. When the transaction fails, every message of it is answered with the
 * error.
 */
export function createSendBatcher(
  db: DatabaseConnection,
  store: (message: OutgoingMessage) => SendReceipt,
): (message: OutgoingMessage) => Promise<SendReceipt> {
  let waiting: PendingSend[] = []
  const flush = () => {
    const batch = waiting
    waiting = []
    const replies: (() => void)[] = []
    try {
      db.write(() => {
        for (const { message, done, fail } of batch) {
          try {
            const receipt = store(message)
            replies.push(() => done(receipt))
          } catch (error) {
            if (!isRefusal(error)) throw error
            replies.push(() => fail(error))
          }
        }
      })
    } catch (error) {
      for (const { fail } of batch) fail(error)
      return
    }
    for (const answer of replies) answer()
  }
  return (message) =>
    new Promise((done, fail) => {
      waiting.push({ message, done, fail })
      if (waiting.length === 1) setImmediate(flush)
    })
}

/** Only the message itself is at fault; trouble with disk or lock concerns the whole transaction. */
function isRefusal(error: unknown): boolean {
  return error instanceof FailureError && error.failure.code !== 'io' && error.failure.code !== 'busy'
}
