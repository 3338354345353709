// Messages over a socket, each a JSON object on one line with a size limit. A sender waits until the receiver
// has read enough.
import type { Duplex, Writable } from 'node:stream'
import { FailureError } from '../../base/errors.ts'

/**
 * Largest number of characters of one message, enough for a command with an image. A longer line is an error.
 */
const maxLineChars = 24 * 1024 * 1024

/**
 * Yields messages until the socket ends or fails. Throws FailureError for a line that is too long or is
 * not a message.
 */
export async function* readMessages(socket: Duplex): AsyncGenerator<Record<string, unknown>, void> {
  socket.setEncoding('utf8')
  let rest = ''
  try {
    for await (const chunk of socket as AsyncIterable<string>) {
      rest += chunk
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > maxLineChars) throw badMessage('it is too long')
      for (const line of lines) yield parseMessage(line)
    }
  } catch (error) {
    if (error instanceof FailureError) throw error
    // a broken connection counts as ended
  }
}

function parseMessage(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    throw badMessage('it is not JSON')
  }
  throw badMessage('it is not an object')
}

const badMessage = (why: string) =>
  new FailureError({ code: 'bad_args', message: `a message could not be read: ${why}` })

/** Sends a message, and resolves when the socket accepts more. A message to a closed socket is dropped. */
export async function sendMessage(socket: Duplex, message: object): Promise<void> {
  if (socket.destroyed || !socket.writable) return
  if (socket.write(`${JSON.stringify(message)}\n`)) return
  await waitForDrain(socket)
}

/** Resolves when the receiver has read enough to send more, or when the stream is closed. */
export function waitForDrain(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      stream.off('drain', go)
      stream.off('close', go)
      resolve()
    }
    stream.on('drain', go)
    stream.on('close', go)
    if (stream.destroyed) go()
  })
}
