// Reader of the messages from a language server, which limits their size and reads no faster than
// they are processed.
import type { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { DataCallback, Message, MessageReader } from 'vscode-jsonrpc'
import { Emitter, type PartialMessageInfo } from 'vscode-jsonrpc/node'

/** Largest numbers of bytes of one header and of one body. */
export const maxBytes = { header: 4_096, body: 32 * 2 ** 20 } as const

/**
 * Reads messages from a server's output. `pass` inspects each message first, may change it, and returns false
 * to drop it. A framing error or invalid JSON is reported once by `onError`, then by `onClose`, and ends
 * reading. Each turn of the event loop delivers one message, so a fast server has to wait.
 */
export function readFramedMessages(stream: Readable, pass: (message: Message) => boolean): MessageReader {
  const errors = new Emitter<Error>()
  const closes = new Emitter<void>()
  const partial = new Emitter<PartialMessageInfo>()
  let stopped = false
  const pump = async (deliver: DataCallback) => {
    for await (const body of readFrames(stream)) {
      if (stopped) return
      const message: unknown = JSON.parse(body.toString('utf8'))
      if (typeof message !== 'object' || message === null) throw new Error('a message is not an object')
      if (!pass(message as Message)) continue
      deliver(message as Message)
      await turn()
    }
  }
  const stop = () => {
    stopped = true
  }
  return {
    onError: errors.event,
    onClose: closes.event,
    onPartialMessage: partial.event,
    listen(deliver) {
      pump(deliver)
        .catch((error: Error) => {
          if (!stopped) errors.fire(error)
        })
        .finally(() => closes.fire())
      return { dispose: stop }
    },
    dispose() {
      stop()
      for (const emitter of [errors, closes, partial]) emitter.dispose()
    },
  }
}

/**
 * Yields the bodies of `Content-Length` frames. Throws for an invalid header and for a body that is too long.
 */
export async function* readFrames(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let byteCount = 0
  let need: number | undefined
  const gather = () => {
    const all = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    parts = [all]
    return all
  }
  const drop = (count: number) => {
    const rest = gather().subarray(count)
    parts = rest.length > 0 ? [rest] : []
    byteCount = rest.length
  }
  for await (const chunk of stream) {
    parts.push(chunk)
    byteCount += chunk.length
    for (;;) {
      if (need === undefined) {
        if (byteCount === 0) break
        const frameHeader = readHeader(gather())
        if (!frameHeader) break
        need = frameHeader.length
        drop(frameHeader.end)
      }
      if (byteCount < need) break
      const body = gather().subarray(0, need)
      drop(need)
      need = undefined
      yield body
    }
  }
}

/**
 * Returns the end of the header and the length of the body; undefined while the header is incomplete. Throws
 * for an invalid header, and for a body that is too long.
 */
function readHeader(bytes: Buffer): { end: number; length: number } | undefined {
  const at = bytes.subarray(0, maxBytes.header).indexOf('\r\n\r\n')
  if (at === -1) {
    if (bytes.length >= maxBytes.header) throw new Error('what it writes is not the protocol')
    return undefined
  }
  const text = bytes.toString('latin1', 0, at)
  const length = /(?:^|\r\n)content-length: *(\d{1,12})(?:\r\n|$)/i.exec(text)?.[1]
  if (length === undefined) throw new Error('a message comes without Content-Length')
  if (Number(length) > maxBytes.body) throw new Error(`a message has ${length} bytes`)
  return { end: at + 4, length: Number(length) }
}
