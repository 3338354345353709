// Message framing: frames that are split at any byte arrive whole, and invalid frames are errors.
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import type { Message } from 'vscode-jsonrpc'
import {
  maxBytes,
  readFramedMessages,
  readFrames,
} from '../../../../internal/lsp/protocol/message-framing.ts'

const frame = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

async function read(bytes: Buffer, size: number): Promise<string[]> {
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  )
  const out: string[] = []
  for await (const body of readFrames(Readable.from(chunks))) out.push(body.toString())
  return out
}

it('does not depend on how the bytes are split', async () => {
  const bodies = ['{}', '', '{"a":"äö👍"}', 'x'.repeat(300)]
  const extra = 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:2\r\n\r\n[]'
  const bytes = Buffer.from(bodies.map(frame).join('') + extra)
  for (let size = 1; size <= 40; size++) expect(await read(bytes, size)).toEqual([...bodies, '[]'])
  expect(await read(bytes, bytes.length)).toEqual([...bodies, '[]'])
})

it.each([
  ['log lines before the first message\r\n\r\n', /without Content-Length/],
  ['x'.repeat(maxBytes.header), /not the protocol/],
  [`Content-Length: ${maxBytes.body + 1}\r\n\r\n`, /a message has \d+ bytes/],
  ['Content-Length: -5\r\n\r\n', /without Content-Length/],
  ['Content-Length: five\r\n\r\n', /without Content-Length/],
])('rejects %j', async (text, error) => {
  await expect(read(Buffer.from(text), 64)).rejects.toThrow(error)
})

interface Heard {
  messages: unknown[]
  errors: string[]
  closed: number
}

/** Returns the messages, errors and closings that a stream of these texts leads to. */
function hear(texts: readonly string[], pass: (message: Message) => boolean = () => true): Promise<Heard> {
  const heard: Heard = { messages: [], errors: [], closed: 0 }
  const reader = readFramedMessages(Readable.from(texts.map((text) => Buffer.from(text))), pass)
  return new Promise((resolve) => {
    reader.onError((error) => heard.errors.push(error.message))
    reader.onClose(() => {
      heard.closed++
      resolve(heard)
    })
    reader.listen((message) => heard.messages.push(message))
  })
}

it('delivers the messages that pass the filter, in order', async () => {
  const texts = [1, 2, 3].map((id) => frame(JSON.stringify({ jsonrpc: '2.0', id })))
  const heard = await hear([texts.join('')], (message) => (message as unknown as { id: number }).id !== 2)
  expect(heard.messages.map((message) => (message as { id: number }).id)).toEqual([1, 3])
  expect(heard).toMatchObject({ errors: [], closed: 1 })
})

it.each([frame('{"a":'), frame('null'), frame('7'), 'junk'.repeat(2000)])('stops at %j', async (bad) => {
  const good = frame('{"jsonrpc":"2.0","id":1}')
  const heard = await hear([good + bad + good])
  expect(heard.messages.length).toBe(1)
  expect(heard.errors.length).toBe(1)
  expect(heard.closed).toBe(1)
})
