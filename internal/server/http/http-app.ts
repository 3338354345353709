// HTTP interface that checks the token and body of each request to a route. The files of the page, the
// exchange of a one-time code and `/healthz` need no token.

import { Hono } from 'hono'
import type { ServerBackend } from '../backend.ts'
import { describeBodyIssue } from './body-issue.ts'
import { describeInterface } from './openapi.ts'
import { openPageFiles } from './page-files.ts'
import { ProblemError, problemOf } from './problem.ts'
import { demandScope, type RequestGuard } from './request-guard.ts'
import { serverRoutes } from './routes.ts'
import { createServerCounts, type ServerCounts } from './server-counts.ts'
import type { RouteCall, ServerRoute } from './server-route.ts'

interface HttpApp {
  counts: ServerCounts
  handle(request: Request, isLocalSocket: boolean): Promise<Response>
}

export function createHttpApp(backend: ServerBackend, guard: RequestGuard): HttpApp {
  const app = new Hono<{ Bindings: { isLocalSocket: boolean } }>()
  const counts = createServerCounts()
  app.onError(problemOf)
  app.notFound(() => problemOf(new ProblemError(404, 'path not found')))
  app.get('/healthz', () => Response.json({ ok: true, version: backend.version }))
  app.get('/openapi.json', async ({ req, env }) => {
    await guard.admit(req.raw, env.isLocalSocket)
    return Response.json(describeInterface(serverRoutes, backend.version))
  })
  app.post('/v1/page/code', async ({ req, env }) => {
    const { cookie, key } = await guard.openPageByCode(req.raw, env.isLocalSocket)
    return Response.json({ key }, { headers: { 'set-cookie': cookie } })
  })
  const files = openPageFiles()
  for (const path of pagePaths)
    app.get(path, ({ req, env }) => {
      guard.admitAnyone(req.raw, env.isLocalSocket)
      return files.document()
    })
  // Browsers request the icon automatically, so an empty response is sent instead of an error.
  app.get('/favicon.ico', () => new Response(null, { status: 204 }))
  app.get('/page/:name', ({ req, env }) => {
    guard.admitAnyone(req.raw, env.isLocalSocket)
    const acceptsBrotli = /\bbr\b/.test(req.header('accept-encoding') ?? '')
    return files.asset(req.param('name'), acceptsBrotli)
  })
  for (const route of serverRoutes)
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async ({ req, env }) => {
      const token = await guard.admit(req.raw, env.isLocalSocket)
      const { scopes } = token
      demandScope(scopes, route.scope)
      const body = await readBody(route, req.raw)
      const sender = [token.hash, req.method, req.path]
      return route.handle({
        onceKey: body.id === undefined ? undefined : JSON.stringify([...sender, body.id]),
        backend,
        counts,
        scopes,
        openPage: () => guard.openPage(req.raw, token),
        param: (name) => req.param(name) ?? '',
        query: new URL(req.url).searchParams,
        header: (name) => req.header(name),
        ...body,
        signal: req.raw.signal,
      })
    })
  return {
    counts,
    async handle(request, isLocalSocket) {
      const began = performance.now()
      const response = await app.fetch(request, { isLocalSocket })
      counts.countRequest(response.status, (performance.now() - began) / 1_000)
      return response
    },
  }
}

/** Paths at which the page is served. The document is the same for all; its script reads the URL. */
const pagePaths = ['/', '/runs/:id', '/studies/:id', '/research/:id', '/builds/:id', '/usage', '/permissions']

const maxIdLength = 64

/**
 * Reads the JSON body, and the request id if the body has one, for a route with a schema; both are undefined
 * for a route without a schema. Throws ProblemError 415 for another content type, and 400 for invalid JSON,
 * an invalid id, or a body that does not match the schema. Only JSON is accepted, because a page of another
 * site can send forms without permission, but not JSON.
 */
async function readBody(
  { body: schema }: ServerRoute,
  request: Request,
): Promise<Pick<RouteCall, 'body' | 'id'>> {
  if (!schema) return { body: undefined, id: undefined }
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    throw new ProblemError(415, 'the body must be application/json')
  const value: unknown = await request.json().catch(() => {
    throw new ProblemError(400, 'the body is not valid JSON')
  })
  const { id, ...fields } = (value ?? {}) as { id?: unknown }
  const { data, error } = schema.safeParse(fields)
  if (id !== undefined && (typeof id !== 'string' || id === '' || id.length > maxIdLength))
    throw new ProblemError(400, `invalid id: expected a string of at most ${maxIdLength} characters`)
  if (!error) return { body: data, id }
  const [issue] = error.issues
  throw new ProblemError(400, 'the request is not valid', issue && describeBodyIssue(issue))
}
