// Reader of server-sent events. It yields each stored event once and reconnects after a lost connection.
import { requestServer, ServerProblem } from './ask-server.ts'

interface ServerMessage {
  id: number | undefined
  kind: string
  data: string
}

/**
 * Yields the messages that have data from a stream of server-sent events (HTML standard, section 9.2). Reads
 * only the fields `id`, `event` and `data`.
 */
export async function* parseServerMessages(
  texts: AsyncIterable<string>,
): AsyncGenerator<ServerMessage, void> {
  let rest = ''
  for await (const text of texts) {
    rest += text
    const messages = rest.split('\n\n')
    rest = messages.pop() ?? ''
    for (const message of messages) {
      const fields = new Map(
        message.split('\n').flatMap((line) => {
          const at = line.indexOf(':')
          return at > 0 ? [[line.slice(0, at), line.slice(at + 1).replace(/^ /, '')] as const] : []
        }),
      )
      const data = fields.get('data')
      const id = fields.get('id')
      if (data !== undefined)
        yield { id: id === undefined ? undefined : Number(id), kind: fields.get('event') ?? 'message', data }
    }
  }
}

async function* readTexts(response: Response): AsyncGenerator<string, void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const minPauseMs = 300
const maxPauseMs = 5_000

interface FollowOptions {
  path: string
  signal: AbortSignal
  /** Called with undefined when the stream is connected, and with the reason when the connection is lost. */
  changed(broken: string | undefined): void
}

/**
 * Yields the unnamed events of the stream, each id once, until `signal` aborts, and reconnects after any
 * other end. Throws ServerProblem for a status from 400 to 499, except 429, because a retry cannot fix it.
 */
export async function* followServerEvents<T>(options: FollowOptions): AsyncGenerator<T, void> {
  const { path, signal, changed } = options
  let last = 0
  let pause = minPauseMs
  while (!signal.aborted) {
    try {
      const headers = { 'last-event-id': String(last) }
      const response = await requestServer(path, { headers, signal })
      changed(undefined)
      pause = minPauseMs
      for await (const { id, kind, data } of parseServerMessages(readTexts(response))) {
        if (id !== undefined && id <= last) continue
        last = id ?? last
        if (kind === 'message') yield JSON.parse(data) as T
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ServerProblem && isFinal(error.status)) throw error
    }
    if (signal.aborted) return
    changed('connection lost; reconnecting')
    await new Promise((resolve) => setTimeout(resolve, pause))
    pause = Math.min(maxPauseMs, pause * 2)
  }
}

const isFinal = (status: number) => status >= 400 && status < 500 && status !== 429
