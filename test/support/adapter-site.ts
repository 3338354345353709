// What calls of the web reach in a session of adapters: pages of every kind, a search engine and a scholarly one.
import type { GuardedFetch } from '../../internal/net/guarded-fetch.ts'
import { recordedReply, scholarHosts, scholarServer } from './scholar.ts'
import { webServer } from './web-server.ts'

const results = [
  { title: 'Locks', url: 'https://example.com/locks', content: 'How they work', publishedDate: '2026-01-31' },
  { title: 'Keys', url: 'https://example.com/keys', content: 'Where they lie' },
]

const many = Array.from({ length: 30 }, (_, i) => ({
  ...{ title: `Result ${i + 1}`, url: `https://example.com/${i + 1}`, content: 'One of many' },
}))

/** Returns more works than are listed, each a different one. */
function manyWorks(): string {
  const reply = JSON.parse(recordedReply('openalex')) as { results: object[] }
  const results = Array.from({ length: 15 }, (_, i) => ({
    ...reply.results[0],
    ...{ id: `https://openalex.org/W${i + 1}`, doi: `https://doi.org/10.1000/${i + 1}` },
    display_name: `Work ${i + 1}`,
  }))
  return JSON.stringify({ ...reply, results })
}

export interface AdapterSite {
  base: string
  /** What leads the addresses of scholarly engines to recorded replies, and all others where they led before. */
  lead(fetch: GuardedFetch): GuardedFetch
}

export async function adapterSite(): Promise<AdapterSite> {
  const site = await webServer(({ url }, response) => {
    const send = (status: number, type: string, body: string | Buffer) =>
      void response.writeHead(status, { 'content-type': type }).end(body)
    if (url.startsWith('/search'))
      send(200, 'application/json', JSON.stringify({ results: url.includes('many') ? many : results }))
    else if (url === '/text') send(200, 'text/plain', 'one\ntwo\nthree\n')
    else if (url === '/empty') send(200, 'text/html', '<script>draw()</script>')
    else if (url === '/picture') send(200, 'image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]))
    else send(404, 'text/plain', 'no such page')
  })
  // one engine is enough: another test checks which engines are asked after it
  const few = await scholarServer()
  const more = await scholarServer({ openalex: { body: manyWorks() } })
  const none = await scholarServer({ openalex: { body: '{"meta":{"count":0},"results":[]}' } })
  const engines = Object.values(scholarHosts)
  return {
    base: site.base,
    lead: (fetch) => (request) => {
      if (!engines.includes(new URL(request.url).hostname)) return fetch(request)
      const engine = request.url.includes('many') ? more : request.url.includes('nothing') ? none : few
      return engine.fetch(request)
    },
  }
}
