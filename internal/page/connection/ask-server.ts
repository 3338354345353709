// Requests of the page to its own server.
import { readPageKey } from './page-key.ts'

/** Error of a request that the server rejected or that did not reach the server. */
export class ServerProblem extends Error {
  /** HTTP status, or 0 if the server could not be reached. */
  readonly status: number
  readonly hint: string | undefined

  constructor(status: number, message: string, hint?: string) {
    super(message)
    this.name = 'ServerProblem'
    this.status = status
    this.hint = hint
  }
}

interface ServerRequest {
  /** Body, sent as JSON. A request with a body is a POST by default. */
  body?: unknown
  method?: 'POST'
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

/**
 * Sends a request and returns the response. Throws ServerProblem for any status except success, and if the
 * server cannot be reached. An aborted request throws the abort error.
 */
export async function requestServer(path: string, request: ServerRequest = {}): Promise<Response> {
  const { body, method, headers = {}, signal } = request
  const requestHeaders = {
    'x-anode-page': readPageKey() ?? '',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
  const response = await fetch(path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: requestHeaders,
    credentials: 'same-origin',
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new ServerProblem(0, 'the server cannot be reached', '`anode serve` starts it')
  })
  if (response.ok) return response
  throw await readProblem(response)
}

export async function askServer<T>(path: string, request: ServerRequest = {}): Promise<T> {
  return (await requestServer(path, request)).json() as Promise<T>
}

async function readProblem(response: Response): Promise<ServerProblem> {
  const body = (await response.json().catch(() => ({}))) as Record<string, string | undefined>
  // The body is a problem document (`title`), or the answer to a rejected command (`message`).
  const message = body['title'] ?? body['message'] ?? `the server replied ${response.status}`
  return new ServerProblem(response.status, message, body['detail'] ?? body['hint'])
}

export const describeProblem = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const hint = error instanceof ServerProblem && error.hint !== undefined ? `: ${error.hint}` : ''
  return `${error.message}${hint}`
}
