// HTTP servers on the loopback for tests of what goes over the network; closed when the test ends.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export interface WebServer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  base: string
  /** `127.0.0.1:PORT` */
  place: string
  /** Every request so far. */
  seen: Seen[]
}

/** Serves with `answer`; an answer that never ends is cut off with the test. */
export async function webServer(
  answer: (request: Seen, response: ServerResponse) => void,
): Promise<WebServer> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const all = { method, url, headers, body }
      seen.push(all)
      answer(all, response)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { base: `http://${place}`, place, seen }
}
