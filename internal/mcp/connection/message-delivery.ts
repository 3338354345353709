// Hands messages to the client in an order that it keeps: what is told comes before the answer that follows
// it.
import type { JSONRPCMessage } from '@modelcontextprotocol/client'

interface Delivery {
  take(message: JSONRPCMessage): void
  /** Hands over at once what still waits, for the end of a connection. */
  flush(): void
}

/**
 * The client works a notification off a moment after it got it, and an answer at once: of two that arrive
 * together the answer would come first and end the call to which the notification belongs. So an answer waits
 * for a turn.
 */
export function createDelivery(hand: (message: JSONRPCMessage) => void): Delivery {
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
