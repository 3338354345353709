// Streams of events in pieces of every size.
import { expect, it } from 'vitest'
import { parseServerMessages } from '../../../../internal/page/connection/event-reader.ts'

const stream = 'id: 1\ndata: {"a":"\u00e9: b"}\n\n: \n\nevent: gap\ndata: {}\n\ndata:x\n\nid: 2\ndata: cut o'

async function* pieces(size: number): AsyncGenerator<string> {
  for (let at = 0; at < stream.length; at += size) yield stream.slice(at, at + size)
}

it('reads whole messages, however they are cut, and leaves out what has no end', async () => {
  for (let size = 1; size <= stream.length; size++) {
    const messages = []
    for await (const message of parseServerMessages(pieces(size))) messages.push(message)
    expect(messages).toEqual([
      { id: 1, kind: 'message', data: '{"a":"é: b"}' },
      { id: undefined, kind: 'gap', data: '{}' },
      { id: undefined, kind: 'message', data: 'x' },
    ])
  }
})
