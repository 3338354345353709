// A scripted server on loopback with the formats Chat Completions, Responses and Messages, which can fail
// at any byte.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { messagesEvents } from './messages-events.ts'

export interface ServedCall {
  name: string
  id?: string
  args?: unknown
  /** Arguments word for word instead of `args`. */
  raw?: string
}

/** One response. Without `status` it is streamed. */
export interface ServedReply {
  text?: string
  reasoning?: string
  calls?: readonly ServedCall[]
  usage?: { in: number; out: number; cached?: number; written?: number } | null
  /** The reason for the end. `null` omits it. Default: `tool_calls` or `stop`. */
  finish?: string | null
  /** Answers with this status and `body` instead of a streamed response. */
  status?: number
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Characters of text or arguments per event. Default: 8. */
  piece?: number
  delayMs?: number
  /**
   * The framing of the body. Default: `chunked`. With `close` only the end of the connection ends the body.
   */
  framing?: 'chunked' | 'length' | 'close'
  /** The number of bytes of the body after which the fault happens, and the kind of fault. */
  fault?: { at: number; how: 'close' | 'reset' | 'silence' }
  /** The number of bytes of the body after which the rest waits for `until`. */
  hold?: { at: number; until: Promise<unknown> }
}

export interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any request
  body: any
  raw: string
  /** Port of the client's end: equal for requests over one kept connection. */
  port: number
  at: number
}

export interface ModelServer {
  /** Base URL, ends in /v1. */
  url: string
  /** The requests for a response. */
  requests: Received[]
  /** The requests for facts about the server. */
  probes: Received[]
  close(): Promise<void>
}

type Script = readonly ServedReply[] | ((request: Received, n: number) => ServedReply)

/**
 * Starts a server on a free port of 127.0.0.1. A list is served in order, and after its end every response is
 * a 500. `about` has answers about the server by path. Other GET requests get a 404.
 */
export async function serveModel(
  script: Script,
  about: Readonly<Record<string, ServedReply>> = {},
): Promise<ModelServer> {
  const requests: Received[] = []
  const probes: Received[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8')
      const received: Received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: raw === '' ? undefined : JSON.parse(raw),
        raw,
        port: request.socket.remotePort ?? 0,
        at: Date.now(),
      }
      const own = about[received.path] ?? (received.method === 'GET' ? unknownPath : undefined)
      if (own) {
        probes.push(received)
        setTimeout(() => answer(response, own, received), own.delayMs ?? 0)
        return
      }
      requests.push(received)
      const n = requests.length - 1
      const reply = typeof script === 'function' ? script(received, n) : (script[n] ?? exhausted)
      setTimeout(() => answer(response, reply, received), reply.delayMs ?? 0)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // a client that disconnects is part of the tests
    socket.on('error', () => socket.destroy())
  })
  const port = await listenOnce(server)
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    probes,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const unknownPath: ServedReply = { status: 404, body: '{"error":{"message":"File Not Found","code":404}}' }
const exhausted: ServedReply = { status: 500, body: '{"error":{"message":"the script has ended"}}' }

/** Returns the bytes of a streamed response, so that a test can count them. */
export function bodyOf(reply: ServedReply, format: ServedFormat = 'chat'): Buffer {
  const events = { chat: chatEvents, responses: responseEvents, messages: messagesEvents }[format](reply)
  return Buffer.from(events.join(''))
}

export type ServedFormat = 'chat' | 'responses' | 'messages'

function formatOf(path: string): ServedFormat {
  if (path.endsWith('/messages')) return 'messages'
  return path.endsWith('/responses') ? 'responses' : 'chat'
}

function answer(response: ServerResponse, reply: ServedReply, received: Received) {
  const streamed = reply.status === undefined
  const body = streamed ? bodyOf(reply, formatOf(received.path)) : Buffer.from(reply.body ?? '')
  const type = streamed ? 'text/event-stream' : 'application/json'
  const headers: Record<string, string> = { 'content-type': type, ...reply.headers }
  const { fault, framing = 'chunked' } = reply
  const part = fault ? body.subarray(0, fault.at) : body
  const socket = response.socket as Socket
  if (framing === 'close') {
    const lines = Object.entries({ ...headers, connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    socket.write(`HTTP/1.1 ${reply.status ?? 200} OK\r\n${lines.join('\r\n')}\r\n\r\n`)
    socket.write(part, () => (fault ? fail(socket, fault.how) : socket.end()))
    return
  }
  if (framing === 'length' || !streamed) headers['content-length'] = String(body.length)
  response.writeHead(reply.status ?? 200, headers)
  response.flushHeaders()
  if (reply.hold) {
    const { at, until } = reply.hold
    response.write(part.subarray(0, at))
    void until.then(() => response.end(part.subarray(at)))
  } else if (!fault) response.end(part)
  else if (part.length === 0) fail(socket, fault.how)
  else response.write(part, () => fail(socket, fault.how))
}

function fail(socket: Socket, how: 'close' | 'reset' | 'silence') {
  if (how === 'close') socket.end()
  if (how === 'reset') socket.resetAndDestroy()
}

const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`

export function pieces(text: string, size: number): string[] {
  const out: string[] = []
  for (let i = 0; i < text.length; i += size) out.push(text.slice(i, i + size))
  return out
}

export const rawOf = (call: ServedCall) => call.raw ?? JSON.stringify(call.args ?? {})

function chatEvents(reply: ServedReply): string[] {
  const { piece = 8, calls = [], usage = { in: 10, out: 5 } } = reply
  const frame = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'scripted' }
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    event({ ...frame, choices: [{ index: 0, delta, finish_reason }] })
  const out = [chunk({ role: 'assistant', content: '' })]
  for (const text of pieces(reply.reasoning ?? '', piece)) out.push(chunk({ reasoning_content: text }))
  for (const text of pieces(reply.text ?? '', piece)) out.push(chunk({ content: text }))
  for (const [index, call] of calls.entries()) {
    const head = { index, id: call.id ?? `call_${index}`, type: 'function' }
    out.push(chunk({ tool_calls: [{ ...head, function: { name: call.name, arguments: '' } }] }))
    for (const text of pieces(rawOf(call), piece)) {
      out.push(chunk({ tool_calls: [{ index, function: { arguments: text } }] }))
    }
  }
  const finish = reply.finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : reply.finish
  if (finish !== null) out.push(chunk({}, finish))
  if (usage) {
    const details =
      usage.cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: usage.cached } }
    const counts = {
      prompt_tokens: usage.in,
      completion_tokens: usage.out,
      total_tokens: usage.in + usage.out,
    }
    out.push(event({ ...frame, choices: [], usage: { ...counts, ...details } }))
  }
  return [...out, 'data: [DONE]\n\n']
}

function responseEvents(reply: ServedReply): string[] {
  const { piece = 8, calls = [], usage = { in: 10, out: 5 } } = reply
  const out: string[] = []
  const send = (type: string, rest: Record<string, unknown>) =>
    out.push(`event: ${type}\n${event({ type, sequence_number: out.length, ...rest })}`)
  send('response.created', { response: { id: 'resp_1', status: 'in_progress', output: [] } })
  const items: unknown[] = []
  const done = (item: Record<string, unknown>) => {
    send('response.output_item.done', { output_index: items.length, item })
    items.push(item)
  }
  if (reply.reasoning) {
    for (const delta of pieces(reply.reasoning, piece))
      send('response.reasoning_summary_text.delta', { delta })
    done({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' })
  }
  if (reply.text) {
    for (const delta of pieces(reply.text, piece)) send('response.output_text.delta', { delta })
    done({
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text: reply.text }],
    })
  }
  for (const [i, call] of calls.entries()) {
    for (const delta of pieces(rawOf(call), piece)) send('response.function_call_arguments.delta', { delta })
    const id = call.id ?? `call_${i}`
    done({ type: 'function_call', id: `fc_${i}`, call_id: id, name: call.name, arguments: rawOf(call) })
  }
  const counts = usage && {
    input_tokens: usage.in,
    output_tokens: usage.out,
    input_tokens_details: { cached_tokens: usage.cached ?? 0 },
  }
  const response = { id: 'resp_1', output: items, usage: counts }
  if (reply.finish === 'length') {
    const incomplete_details = { reason: 'max_output_tokens' }
    send('response.incomplete', { response: { ...response, status: 'incomplete', incomplete_details } })
  } else if (reply.finish !== null) {
    send('response.completed', { response: { ...response, status: 'completed' } })
  }
  return out
}

const used = new Set<number>()

/**
 * Listens on a port that no server of this process had, because later test files remember the errors
 * of an endpoint.
 */
async function listenOnce(server: Server): Promise<number> {
  for (;;) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    if (!used.has(port)) {
      used.add(port)
      return port
    }
    await new Promise((resolve) => server.close(resolve))
  }
}
