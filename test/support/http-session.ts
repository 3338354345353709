// A session as a program has it over HTTP: what can be read of it, over connections that break.
import { FailureError } from '../../internal/base/errors.ts'
import { parseServerMessages } from '../../internal/page/connection/event-reader.ts'
import type { SessionClient, TopicEvent } from '../../internal/session/client.ts'

interface HttpPlace {
  /** Asked anew for each connection. */
  address(): string
  token: string
}

/** Reads on after each connection that breaks, until the server says that it is over. */
export function lookOverHttp(
  { address, token }: HttpPlace,
  thread: string,
): Pick<SessionClient, 'readTopic' | 'readBlob'> {
  const headers = { authorization: `Bearer ${token}` }
  const request = async (path: string, more: RequestInit = {}) => {
    const url = `${address()}/v1/runs/${encodeURIComponent(thread)}/${path}`
    const response = await fetch(url, { ...more, headers: { ...headers, ...more.headers } })
    if (response.ok) return response
    const { title, status } = (await response.json()) as { title: string; status: number }
    throw new FailureError({ code: status === 404 ? 'not_found' : 'internal', message: title })
  }
  return {
    async readBlob(hash, offset, limit) {
      const query = `offset=${offset}&limit=${limit}`
      const response = await request(`blobs/${encodeURIComponent(hash)}?${query}`)
      return ((await response.json()) as { text: string }).text
    },
    async *readTopic({ kind, ...wish }, after, signal) {
      const words = Object.entries(wish).map(([name, value]) => [name, String(value)])
      const query = new URLSearchParams(Object.fromEntries(words))
      for (let last = after; !signal.aborted; ) {
        try {
          const sent = { headers: { 'last-event-id': String(last) }, signal }
          const response = await request(`topics/${kind}?${query}`, sent)
          for await (const { id, kind: what, data } of parseServerMessages(readTexts(response))) {
            if (what === 'end') return
            last = id ?? last
            yield JSON.parse(data) as TopicEvent
          }
        } catch (error) {
          if (signal.aborted) return
          if (error instanceof FailureError) throw error
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      }
    },
  }
}

async function* readTexts({ body }: Response): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  for await (const bytes of body ?? []) yield decoder.decode(bytes as Uint8Array, { stream: true })
}
