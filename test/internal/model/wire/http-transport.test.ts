// The transport against a real server: kept connections, silence, partial bodies, cancellation.

import type { AddressInfo } from 'node:net'
import { createServer as createTcp, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import {
  BrokenConnectionError,
  StalledConnectionError,
} from '../../../../internal/model/endpoint/connection-errors.ts'
import { sendRequest } from '../../../../internal/model/wire/http-transport.ts'
import { type ModelServer, type ServedReply, serveModel } from '../../../support/model-server.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function server(...replies: ServedReply[]): Promise<ModelServer> {
  const started = await serveModel(replies)
  open.push(started)
  return started
}

/** Starts a server that answers each connection with these bytes, and then runs `then`. */
async function raw(answer: string, then: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const tcp = createTcp((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      if (answer === '') then(socket)
      else socket.write(answer, () => then(socket))
    })
  })
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  open.push({
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => tcp.close(resolve))
    },
  })
  return `http://127.0.0.1:${(tcp.address() as AddressInfo).port}/v1`
}

const never = new AbortController().signal
const sending = (url: string, rest = {}) => ({
  url: `${url}/chat/completions`,
  method: 'POST' as const,
  headers: {},
  body: ['{}'],
  signal: never,
  idleMs: 5000,
  ...rest,
})

async function bodyOf(answer: Awaited<ReturnType<typeof sendRequest>>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of answer.body) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('reuses connections', async () => {
  const { url, requests } = await server(
    { text: 'one' },
    { text: 'two' },
    { status: 500, body: 'x' },
    { text: 'y' },
  )
  for (let i = 0; i < 4; i++) await bodyOf(await sendRequest(sending(url)))
  expect(new Set(requests.map((request) => request.port)).size).toBe(1)
})

test('replaces a kept connection that the server has closed, without an error', async () => {
  let connections = 0
  const tcp = createTcp((socket) => {
    connections++
    const first = connections === 1
    socket.on('error', () => socket.destroy())
    let requests = 0
    socket.on('data', () => {
      requests++
      // the first connection answers once and dies upon the second request
      if (first && requests === 2) socket.resetAndDestroy()
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    })
  })
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => tcp.close() })
  const url = `http://127.0.0.1:${(tcp.address() as AddressInfo).port}`
  expect(await bodyOf(await sendRequest(sending(url)))).toBe('ok')
  expect(await bodyOf(await sendRequest(sending(url)))).toBe('ok')
  expect(connections).toBe(2)
})

test('resets of several kept connections in a row lead to only one new connection', async () => {
  let connections = 0
  let isRestarted = false
  const waiting: Socket[] = []
  const tcp = createTcp((socket) => {
    const n = ++connections
    socket.on('error', () => socket.destroy())
    socket.on('data', () => {
      // after the restart no old connection answers
      if (isRestarted && n <= 4) return void socket.resetAndDestroy()
      waiting.push(socket)
      if (waiting.length < 4 && !isRestarted) return
      for (const one of waiting.splice(0)) one.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    })
  })
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => tcp.close() })
  const url = `http://127.0.0.1:${(tcp.address() as AddressInfo).port}`
  const ask = async () => bodyOf(await sendRequest(sending(url)))
  expect(await Promise.all([ask(), ask(), ask(), ask()])).toEqual(['ok', 'ok', 'ok', 'ok'])
  isRestarted = true
  expect(await ask()).toBe('ok')
  expect(connections).toBe(5)
})

test('a server that resets each connection is a broken connection, which is tried again', async () => {
  const url = await raw('', (socket) => socket.resetAndDestroy())
  for (let i = 0; i < 3; i++)
    await expect(sendRequest(sending(url))).rejects.toBeInstanceOf(BrokenConnectionError)
})

const encodings = { gzip: gzipSync, 'x-gzip': gzipSync, deflate: deflateSync, br: brotliCompressSync }
test.each(Object.entries(encodings))('a body in %s that no request asked for', async (encoding, encode) => {
  const packed = encode(Buffer.from('data: {"n":1}\n\n'.repeat(500)))
  const url = await raw(
    `HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${packed.length}\r\n\r\n`,
    (socket) => socket.write(packed),
  )
  expect(await bodyOf(await sendRequest(sending(url)))).toBe('data: {"n":1}\n\n'.repeat(500))
})

test('a damaged or unknown encoding is a broken connection that names it', async () => {
  const damaged = await raw(
    'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nabcd',
    () => undefined,
  )
  const unknown = await raw(
    'HTTP/1.1 200 OK\r\ncontent-encoding: snappy\r\ncontent-length: 4\r\n\r\nabcd',
    () => undefined,
  )
  await expect(bodyOf(await sendRequest(sending(damaged)))).rejects.toThrow(/header/)
  await expect(bodyOf(await sendRequest(sending(unknown)))).rejects.toThrow(/"snappy"/)
})

test('a missing server gives an early broken connection', async () => {
  const url = await raw('', () => undefined)
  await open.pop()?.close()
  await expect(sendRequest(sending(url))).rejects.toSatisfy(
    (error) => error instanceof BrokenConnectionError && error.early,
  )
})

test('no data before and during a response counts as a stall', async () => {
  const mute = await raw('', () => undefined)
  await expect(sendRequest(sending(mute, { idleMs: 200 }))).rejects.toBeInstanceOf(StalledConnectionError)
  const { url } = await server({ text: 'never whole', fault: { at: 30, how: 'silence' } })
  const answer = await sendRequest(sending(url, { idleMs: 200 }))
  await expect(bodyOf(answer)).rejects.toBeInstanceOf(StalledConnectionError)
})

test('bytes that trickle in do not count as silence', async () => {
  const url = await raw('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n', (socket) => {
    let sent = 0
    const timer = setInterval(() => {
      socket.write('.')
      if (++sent < 12) return
      clearInterval(timer)
      socket.end()
    }, 20)
  })
  expect(await bodyOf(await sendRequest(sending(url, { idleMs: 150 })))).toBe('.'.repeat(12))
})

test.each(['close', 'reset'] as const)('a body that ends early by %s', async (how) => {
  for (const framing of ['chunked', 'length'] as const) {
    const { url } = await server({ text: 'x'.repeat(200), framing, fault: { at: 100, how } })
    const answer = await sendRequest(sending(url))
    await expect(bodyOf(answer)).rejects.toSatisfy(
      (error) => error instanceof BrokenConnectionError && !error.early,
    )
  }
})

test('a cancel ends a request before the start, while waiting and during the body', async () => {
  const gone = AbortSignal.abort(new Error('stop'))
  const { url, requests } = await server()
  await expect(sendRequest(sending(url, { signal: gone }))).rejects.toThrow('stop')
  expect(requests).toHaveLength(0)

  const mute = await raw('', () => undefined)
  const waiting = new AbortController()
  setTimeout(() => waiting.abort(new Error('stop')), 30)
  await expect(sendRequest(sending(mute, { signal: waiting.signal }))).rejects.toThrow('stop')

  const half = await server({ text: 'never whole', fault: { at: 30, how: 'silence' } })
  const reading = new AbortController()
  const answer = await sendRequest(sending(half.url, { signal: reading.signal }))
  setTimeout(() => reading.abort(new Error('stop')), 30)
  await expect(bodyOf(answer)).rejects.toThrow('stop')
})

test('returns a redirect as a response, and does not follow it', async () => {
  const { url, requests } = await server({
    status: 307,
    headers: { location: 'http://127.0.0.1:1/' },
    body: '',
  })
  expect((await sendRequest(sending(url))).status).toBe(307)
  expect(requests).toHaveLength(1)
})

test('the first byte may take longer than silence afterwards, also when the head came at once', async () => {
  const late = await server({ text: 'a long reply', delayMs: 250 })
  expect(await bodyOf(await sendRequest(sending(late.url, { idleMs: 100, firstByteMs: 5000 })))).toContain(
    '[DONE]',
  )

  const until = new Promise((resolve) => setTimeout(resolve, 250))
  const queued = await server({ text: 'a long reply', hold: { at: 0, until } })
  expect(await bodyOf(await sendRequest(sending(queued.url, { idleMs: 100, firstByteMs: 5000 })))).toContain(
    '[DONE]',
  )

  const begun = await server({ text: 'a long reply', hold: { at: 40, until: new Promise(() => undefined) } })
  const answer = await sendRequest(sending(begun.url, { idleMs: 100, firstByteMs: 60_000 }))
  await expect(bodyOf(answer)).rejects.toMatchObject({ ms: 100 })
})

test('a missing first byte also counts as a stall', async () => {
  const silent = await raw('', () => undefined)
  const asked = sendRequest(sending(silent, { idleMs: 50, firstByteMs: 150 }))
  await expect(asked).rejects.toMatchObject({ ms: 150 })
})
