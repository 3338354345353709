// OAuth login to an HTTP server: the user opens a URL, the browser returns to a local port.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FailureError, UserError } from '../../base/errors.ts'
import type { McpServer } from '../config/server-config.ts'
import { loadMcpClient } from '../connection/client-package.ts'
import { openReach } from '../connection/host-reach.ts'
import { openHttpTransport } from '../connection/http-transport.ts'
import { explainMcpError } from '../connection/mcp-errors.ts'
import { authFile, createOauthProvider } from './oauth-store.ts'

interface LoginOptions {
  dataDir: string
  version: string
  signal: AbortSignal
  /** Called with the URL that the user has to open. */
  show(url: URL): void | Promise<void>
}

/**
 * Logs in. Returns `needed: false` if the server works without a new login. Rejects with
 * FailureError or UserError.
 */
export async function runOauthLogin(server: McpServer, options: LoginOptions): Promise<{ needed: boolean }> {
  const { launch } = server
  if (launch.kind !== 'http') {
    throw new UserError(`${server.name} is a local program and takes no login`, { exit: 1 })
  }
  const { dataDir, signal, version, show } = options
  const file = authFile(dataDir, server.key)
  const callback = await openCallback(launch.oauth.callbackPort)
  let needed = false
  try {
    // A client is registered for one redirect URL, so another URL needs a new registration.
    if (file.read().redirect !== callback.redirect)
      await file.change({ client: undefined, redirect: callback.redirect })
    // `wanted` is set if the server once accepted a request without a login and later demanded more scopes. A
    // successful request then does not show that no login is needed, so the login asks for these scopes.
    const { wanted: wantedScope } = file.read()
    if (wantedScope === undefined) await file.change({ discovery: undefined })
    const { state, redirect } = callback
    const open = (url: URL) => {
      needed = true
      return show(url)
    }
    const auth = createOauthProvider(server, file, { redirect, state, open })
    const { transport, close, fetch } = await openHttpTransport(launch, auth, openReach(dataDir, server.key))
    const { Client, auth: authorize } = await loadMcpClient()
    const client = new Client({ name: 'anode', version }, { versionNegotiation: { mode: 'auto' } })
    try {
      if (wantedScope !== undefined) {
        const more = { serverUrl: launch.url, scope: wantedScope, forceReauthorization: true }
        await authorize(auth, { ...more, fetchFn: fetch })
      } else {
        await client.connect(transport, { timeout: server.startMs, signal })
        await client.listTools(undefined, { signal })
      }
    } catch (error) {
      if (!needed) throw error
    }
    try {
      if (needed) await transport.finishAuth(await callback.answer(signal))
      await file.change({ verifier: undefined, wanted: undefined })
    } finally {
      await client.close()
      await close()
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    const { name, hide } = server
    throw explainMcpError(error, { server: name, doing: 'log in', signal, stderrText: '', hide })
  } finally {
    callback.close()
  }
  return { needed }
}

interface LoginCallback {
  redirect: string
  state: string
  /** Resolves with the parameters of the browser's request. */
  answer(signal: AbortSignal): Promise<URLSearchParams>
  close(): void
}

/**
 * Opens a port on the loopback address; rejects with UserError if the port cannot be used. Requests with the
 * right state are accepted, but only the first one counts; other requests get status 404.
 */
async function openCallback(port = 0): Promise<LoginCallback> {
  const state = randomBytes(24).toString('base64url')
  let arrive: (params: URLSearchParams) => void
  const arrived = new Promise<URLSearchParams>((resolve) => {
    arrive = resolve
  })
  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isOurs =
      request.method === 'GET' &&
      url.pathname === '/callback' &&
      isSameText(url.searchParams.get('state') ?? '', state)
    response.writeHead(isOurs ? 200 : 404, {
      'content-type': 'text/plain; charset=utf-8',
      connection: 'close',
    })
    response.end(isOurs ? 'Done. You can close this page and go back to the terminal.\n' : 'Nothing here.\n')
    if (isOurs) arrive(url.searchParams)
  })
  await startServer(http, port)
  const { port: callbackPort } = http.address() as AddressInfo
  return {
    redirect: `http://127.0.0.1:${callbackPort}/callback`,
    state,
    async answer(signal) {
      let stop: (() => void) | undefined
      const aborted = new Promise<never>((_, reject) => {
        stop = () =>
          reject(
            new FailureError({ code: 'cancelled', message: 'the login in the browser was not completed' }),
          )
        signal.addEventListener('abort', stop, { once: true })
        if (signal.aborted) stop()
      })
      try {
        return await Promise.race([arrived, aborted])
      } finally {
        if (stop) signal.removeEventListener('abort', stop)
      }
    },
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
}

function startServer(http: HttpServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', (cause) =>
      reject(
        new UserError(`port ${port} for the callback cannot be used: ${cause.message}`, { cause, exit: 1 }),
      ),
    )
    http.listen(port, '127.0.0.1', resolve)
  })
}

function isSameText(actual: string, expectedText: string): boolean {
  const a = Buffer.from(actual)
  const b = Buffer.from(expectedText)
  return a.length === b.length && timingSafeEqual(a, b)
}
