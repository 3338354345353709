// Conversion between requests and responses of the Fetch API and those of node:http, with a size limit.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { waitForDrain } from '../wire/message-lines.ts'
import { ProblemError, problemOf } from './problem.ts'

const maxBodyBytes = 8 * 1024 * 1024

/**
 * Security headers of every response that does not set them itself. They prevent frames, scripts, caching and
 * guesses about the content type.
 */
const safeHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

export function listenerOf(handle: (request: Request) => Promise<Response>): RequestListener {
  return (incoming, outgoing) => {
    void answerRequest(handle, incoming, outgoing).catch(() => outgoing.destroy())
  }
}

async function answerRequest(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const abortController = new AbortController()
  let request: Request | undefined
  outgoing.on('close', () => {
    abortController.abort()
    // Until here the request is referenced, because the signal of a garbage-collected request never aborts.
    request = undefined
  })
  outgoing.on('error', () => undefined)
  let response: Response
  try {
    request = await readRequest(incoming, abortController.signal)
    response = await handle(request)
  } catch (error) {
    response = problemOf(error)
    // The connection is closed, because the rest of an unread request body must not be taken for
    // the next request.
    outgoing.setHeader('connection', 'close')
  }
  outgoing.writeHead(response.status, { ...safeHeaders, ...Object.fromEntries(response.headers) })
  // The first event may take long, so the headers are sent at once to show that the stream is open.
  if (response.headers.get('content-type') === 'text/event-stream') outgoing.flushHeaders()
  const reader = response.body?.getReader()
  const cancel = () => void reader?.cancel().catch(() => undefined)
  abortController.signal.addEventListener('abort', cancel, { once: true })
  if (abortController.signal.aborted) cancel()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done || outgoing.destroyed) break
    // Waits if the client reads more slowly than the response is written.
    if (!outgoing.write(value)) await waitForDrain(outgoing)
  }
  outgoing.end()
}

async function readRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = 'GET', headers, url = '/' } = incoming
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]],
  )
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? await readBody(incoming) : undefined
  // The header `host` is checked in request-guard.ts, so only the path and query of the URL are used here.
  const address = URL.canParse(url, 'http://anode') ? new URL(url, 'http://anode') : undefined
  if (address?.host !== 'anode') throw new ProblemError(400, 'invalid path')
  return new Request(address, { method, headers: fields, signal, body })
}

async function readBody(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBodyBytes) throw new ProblemError(413, 'the body is larger than 8 MiB')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
