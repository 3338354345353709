// An MCP server over HTTP that requires a token, with its login server, in one process.
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

type Page = [status: number, content?: object | undefined, headers?: Record<string, string>]

export interface Guarded {
  url: string
  /** Expires every token issued so far. */
  expire(): void
  /** The number of tokens issued for a code, and for a refresh. */
  readonly given: { code: number; refresh: number }
}

/** Starts the server on a free port of this machine until the test ends. */
export async function guardedServer(): Promise<Guarded> {
  const codes = new Map<string, { challenge: string; redirect: string }>()
  const valid = new Set<string>()
  const refreshable = new Set<string>()
  const given = { code: 0, refresh: 0 }
  let base = ''
  const token = () => {
    const [access, refresh] = [randomUUID(), randomUUID()]
    valid.add(access)
    refreshable.add(refresh)
    return { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 3600 }
  }
  const pages: Record<string, (url: URL, body: string) => Page> = {
    '/.well-known/oauth-protected-resource/mcp': () => [
      200,
      { resource: `${base}/mcp`, authorization_servers: [base] },
    ],
    '/.well-known/oauth-authorization-server': () => [
      200,
      {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      },
    ],
    '/register': (_, body) => [
      201,
      { ...JSON.parse(body), client_id: 'c1', token_endpoint_auth_method: 'none' },
    ],
    '/authorize': ({ searchParams }) => {
      const code = randomUUID()
      const redirect = searchParams.get('redirect_uri') ?? ''
      codes.set(code, { challenge: searchParams.get('code_challenge') ?? '', redirect })
      const back = new URL(redirect)
      back.searchParams.set('code', code)
      back.searchParams.set('state', searchParams.get('state') ?? '')
      return [302, undefined, { location: back.href }]
    },
    '/token': (_, body) => {
      const form = new URLSearchParams(body)
      if (form.get('grant_type') === 'refresh_token') {
        if (!refreshable.delete(form.get('refresh_token') ?? '')) return [400, { error: 'invalid_grant' }]
        given.refresh++
        return [200, token()]
      }
      const known = codes.get(form.get('code') ?? '')
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (known?.challenge !== proof || known.redirect !== form.get('redirect_uri'))
        return [400, { error: 'invalid_grant' }]
      codes.delete(form.get('code') ?? '')
      given.code++
      return [200, token()]
    },
  }
  const speak = (
    request: IncomingMessage,
    body: string,
    say: (status: number, body?: object, more?: object) => void,
  ) => {
    const bearer = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!valid.has(bearer)) {
      const where = `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`
      return say(401, undefined, { 'www-authenticate': where })
    }
    if (request.method !== 'POST') return say(405)
    const { id, method, params } = JSON.parse(body)
    const result = {
      initialize: () => ({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'guarded', version: '1' },
      }),
      'tools/list': () => ({
        tools: [{ name: 'secret', description: 'Tells it', inputSchema: { type: 'object' } }],
      }),
      'tools/call': () => ({ content: [{ type: 'text', text: 'it is 42' }] }),
    }[method as string]
    if (id === undefined) return say(202)
    if (result) return say(200, { jsonrpc: '2.0', id, result: result() })
    say(400, { jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } })
  }
  const http = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const url = new URL(request.url ?? '/', base)
    const say = (status: number, content?: object, more: object = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...more })
      response.end(content && JSON.stringify(content))
    }
    const page = pages[url.pathname]
    if (page) say(...page(url, body))
    else if (url.pathname === '/mcp') speak(request, body, say)
    else say(404)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  base = `http://127.0.0.1:${(http.address() as { port: number }).port}`
  return { url: `${base}/mcp`, expire: () => valid.clear(), given }
}
