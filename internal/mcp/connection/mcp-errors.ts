// Conversion of a server's errors into messages that a model and a user can act on.

import { codeOf, type FailureCode, FailureError, messageOf } from '../../base/errors.ts'
import { sandboxHint } from '../../base/text/sandbox-hint.ts'
import { needsLogin } from '../auth/oauth-store.ts'
import { hideInFailure } from '../config/server-secrets.ts'

interface ErrorContext {
  server: string
  /** The operation that failed, as the message describes it: `start`, `call echo`. */
  doing: string
  signal: AbortSignal
  /** The end of the text that the server wrote to standard error. */
  stderrText: string
  /** Returns a text without the secrets of the server. */
  hide(text: string): string
  /** Whether the server is sandboxed: the message of a failed start then mentions what the sandbox blocks. */
  isSandboxed?: boolean
}

const codes: Readonly<Record<string, FailureCode>> = {
  REQUEST_TIMEOUT: 'timeout',
  CONNECTION_CLOSED: 'interrupted',
  NOT_CONNECTED: 'interrupted',
  SEND_FAILED: 'io',
}

/**
 * Returns one FailureError for any error of the client. A FailureError among the error and its causes keeps
 * its code; only the secrets in its message and hint are hidden.
 */
export function explainMcpError(error: unknown, where: ErrorContext): FailureError {
  const { server, doing, signal, hide, isSandboxed } = where
  // Secrets are hidden before texts are cut, because a cut secret is not recognized any more.
  const stderrText = hide(where.stderrText)
  const inner = listCauses(error).find((one) => one instanceof FailureError)
  if (inner instanceof FailureError) return hideInFailure(inner, hide)
  const isLate = signal.aborted && (signal.reason as Error | undefined)?.name === 'TimeoutError'
  if (signal.aborted && !isLate)
    return new FailureError({ code: 'cancelled', message: `${doing} was cancelled` }, error)
  const { status, code: number } = (error ?? {}) as { status?: unknown; code?: unknown }
  const isUnauthorized = status === 401 || (error as Error | undefined)?.name === 'UnauthorizedError'
  if (isUnauthorized) return new FailureError(needsLogin(server), error)
  const knownCode = isLate ? 'timeout' : codes[codeOf(error) ?? '']
  const system = listCauses(error)
    .map(codeOf)
    .find((code) => code !== undefined && /^(E[A-Z]+|UND_ERR_\w+)$/.test(code))
  const code = knownCode ?? (system === undefined ? 'command_failed' : 'network')
  const words =
    stderrText === '' ? '' : `; it said: ${stderrText.split('\n').slice(-5).join('\n').slice(-500)}`
  const isBegun = doing !== 'start' && code === 'interrupted'
  const effects = isBegun ? ', what it did until then is not known' : ''
  const rpc = typeof number === 'number' ? ` (error ${number})` : ''
  const reason = system === undefined ? hide(messageOf(error)) : `${hide(messageOf(error))} (${system})`
  const why = `${reason.slice(0, 1000)}${effects}${words}${isSandboxed ? `\n${sandboxLine(server)}` : ''}`
  const message = `the MCP server ${server} failed to ${doing}${rpc}: ${why}`
  return new FailureError({ code, message }, error)
}

const sandboxLine = (server: string) =>
  sandboxHint('the server', `set read, write or network in "sandbox" of mcpServers.${server}`)

/** Returns the error and its causes, outermost first, at most eight. */
function listCauses(error: unknown): unknown[] {
  const all: unknown[] = []
  for (
    let at = error;
    at !== undefined && at !== null && all.length < 8;
    at = (at as { cause?: unknown }).cause
  )
    all.push(at)
  return all
}
