// Ordered delivery of messages to the client: notifications arrive before the answer that follows them.
import type { JSONRPCMessage } from '@modelcontextprotocol/client'

interface MessageDelivery {
  take(message: JSONRPCMessage): void
  /** Delivers all waiting messages at once, because the connection has ended. */
  flush(): void
}

/**
 * Creates a delivery. The client handles a notification a moment after its receipt, but an answer at once. If
 * both arrive together, the answer would end the call before the client handles the notification, so an
 * answer waits for one turn of the event loop.
 */
export function createDelivery(hand: (message: JSONRPCMessage) => void): MessageDelivery {
  let waiting: JSONRPCMessage[] = []
  let hasNotification = false
  let turn: NodeJS.Immediate | undefined

  const pass = (message: JSONRPCMessage) => {
    hasNotification ||= isNotification(message)
    hand(message)
    if (hasNotification) turn ??= setImmediate(next)
  }
  const next = () => {
    turn = undefined
    hasNotification = false
    while (waiting.length > 0 && !(hasNotification && isAnswer(waiting[0] as JSONRPCMessage)))
      pass(waiting.shift() as JSONRPCMessage)
  }
  return {
    take(message) {
      if (waiting.length > 0 || (hasNotification && isAnswer(message))) waiting.push(message)
      else pass(message)
    },
    flush() {
      clearImmediate(turn)
      turn = undefined
      const all = waiting
      waiting = []
      for (const message of all) hand(message)
    },
  }
}

const isAnswer = (message: JSONRPCMessage) => !('method' in message)
const isNotification = (message: JSONRPCMessage) => 'method' in message && !('id' in message)
