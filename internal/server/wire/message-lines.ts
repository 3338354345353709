// Messages over a socket: one JSON object a line, bounded, no faster than the other side reads.
import type { Duplex } from 'node:stream'
import { FailureError } from '../../base/errors.ts'

/** Characters of one message; a picture in a command is the longest. */
const maxLineChars = 24 * 1024 * 1024

/** Ends with the socket, also where that breaks. Throws FailureError for a line that is no message. */
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
    // a connection that breaks has ended
  }
}

function parseMessage(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    throw badMessage('it is no JSON')
  }
  throw badMessage('it is no object')
}

const badMessage = (why: string) =>
  new FailureError({ code: 'bad_args', message: `a message could not be read: ${why}` })

/** Resolves once there is room for more; what goes to a closed socket is dropped. */
export async function sendMessage(socket: Duplex, message: object): Promise<void> {
  if (socket.destroyed || !socket.writable) return
  if (socket.write(`${JSON.stringify(message)}\n`)) return
  await new Promise<void>((resolve) => {
    const go = () => {
      socket.off('drain', go)
      socket.off('close', go)
      resolve()
    }
    socket.on('drain', go)
    socket.on('close', go)
    if (socket.destroyed) go()
  })
}
