// Streaming fetches: local servers only if a user configured them, independent of DNS, and bytes
// as they arrive.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createStreamingFetch } from '../../../internal/net/streaming-fetch.ts'

async function serveOnce(): Promise<string> {
  const http = createServer((_, response) => {
    response.write('one ')
    setTimeout(() => response.end('two'), 50)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
}

function streams(options: Parameters<typeof createStreamingFetch>[0]) {
  const made = createStreamingFetch(options)
  onTestFinished(() => made.close())
  return made
}

test('allows a configured host on this machine, and streams its response', async () => {
  const url = await serveOnce()
  const { fetch } = streams({ allow: (host) => host === '127.0.0.1' })
  const parts: string[] = []
  const { body } = await fetch(url)
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>)
    parts.push(Buffer.from(chunk).toString())
  expect(parts).toEqual(['one ', 'two'])
})

test.each([
  ['another local address', undefined],
  ['a name that leads to one', '127.0.0.1'],
  ['a name that leads to a private network', '10.0.0.8'],
])('rejects %s', async (_, resolved) => {
  const url = await serveOnce()
  const { fetch } = streams({
    allow: (host) => host === 'elsewhere.example',
    ...(resolved !== undefined && { resolve: async () => [resolved] }),
  })
  const target = resolved === undefined ? url : url.replace('127.0.0.1', 'public.example')
  const error = (await fetch(target).catch((thrown: unknown) => thrown)) as Error
  expect(error.cause).toMatchObject({ failure: { code: 'blocked_address' } })
})
