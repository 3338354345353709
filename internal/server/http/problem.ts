// Errors of the HTTP interface as problem documents (RFC 9457).
import { codeOf, FailureError, messageOf, UserError } from '../../base/errors.ts'

/** Error that rejects a request. */
export class ProblemError extends Error {
  readonly status: number
  readonly hint: string | undefined

  constructor(status: number, message: string, hint?: string) {
    super(message)
    this.name = 'ProblemError'
    this.status = status
    this.hint = hint
  }
}

/**
 * Returns the response for an error. A ProblemError has its status, a UserError 422, a FailureError 404 for
 * the code `not_found` and otherwise 409, each with message and hint. Any other error has status 500, a
 * general title, and its code or the first 200 characters of its message.
 */
export function problemOf(error: unknown): Response {
  if (error instanceof ProblemError) return createProblem(error.status, error.message, error.hint)
  if (error instanceof UserError) return createProblem(422, error.message, error.hint)
  if (error instanceof FailureError) {
    const { code, message, hint } = error.failure
    return createProblem(code === 'not_found' ? 404 : 409, message, hint)
  }
  return createProblem(500, 'the server could not do that', codeOf(error) ?? messageOf(error).slice(0, 200))
}

function createProblem(status: number, title: string, detail: string | undefined): Response {
  const body = JSON.stringify({ type: 'about:blank', status, title, detail })
  return new Response(body, { status, headers: { 'content-type': 'application/problem+json' } })
}
