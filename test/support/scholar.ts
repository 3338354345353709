// Scholarly engines on the loopback: each replies as its public documentation shows, or as a test says.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GuardedFetch } from '../../internal/net/guarded-fetch.ts'
import { createGuardedFetch } from '../../internal/net/ssrf-guard.ts'
import { root } from './sources.ts'
import { type WebServer, webServer } from './web-server.ts'

export const scholarHosts = {
  openalex: 'api.openalex.org',
  semantic_scholar: 'api.semanticscholar.org',
  crossref: 'api.crossref.org',
  arxiv: 'export.arxiv.org',
  serper: 'google.serper.dev',
}

export type ScholarName = keyof typeof scholarHosts

export const recordedReply = (name: ScholarName) =>
  readFileSync(
    join(root, 'test/fixtures/scholar', name === 'arxiv' ? 'arxiv.xml' : `${name.replace('_', '-')}.json`),
    'utf8',
  )

interface ScholarReply {
  status?: number
  body?: string
  location?: string
}

export interface ScholarServer extends WebServer {
  /** Guarded, and leading the addresses of all engines to this server. */
  fetch: GuardedFetch
  /** The engines asked so far, in order. */
  asked(): ScholarName[]
}

export async function scholarServer(
  over: Partial<Record<ScholarName, ScholarReply>> = {},
): Promise<ScholarServer> {
  const names = Object.keys(scholarHosts) as ScholarName[]
  const nameOf = (path: string) => names.find((name) => path.startsWith(`/${scholarHosts[name]}/`))
  const server = await webServer(({ url }, response) => {
    const name = nameOf(url) as ScholarName
    const { status = 200, body = recordedReply(name), location } = over[name] ?? {}
    response
      .writeHead(status, { 'content-type': 'application/json', ...(location && { location }) })
      .end(body)
  })
  const guarded = createGuardedFetch({ allow: [server.place] })
  return {
    ...server,
    asked: () => server.seen.map(({ url }) => nameOf(url) as ScholarName),
    fetch: (request) => guarded({ ...request, url: request.url.replace('https:/', server.base) }),
  }
}
