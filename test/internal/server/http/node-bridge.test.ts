// Requests of node:http as requests of the Fetch API: the signal of a request whose client disconnects.
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'
import { listenerOf } from '../../../../internal/server/http/node-bridge.ts'

it('aborts the signal of a request when its client disconnects, also after a garbage collection', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  let disconnected = 0
  const server = createServer(
    listenerOf(async ({ signal }) => {
      signal.addEventListener('abort', () => disconnected++, { once: true })
      return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
    }),
  )
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const clients = await Promise.all(
    Array.from(
      { length: 20 },
      () =>
        new Promise<() => void>((resolve) => {
          const request = get({ port, host: '127.0.0.1', agent: false }, () =>
            resolve(() => request.destroy()),
          )
          request.on('error', () => undefined)
        }),
    ),
  )
  // a collected object is finalized in a later turn of the event loop
  for (let i = 0; i < 5; i++) {
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const disconnect of clients) disconnect()
  await expect.poll(() => disconnected).toBe(20)
})
