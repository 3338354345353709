// Conversion of the program's errors to protocol errors: a UserError becomes an error of the parameters, a
// RequestError stays unchanged, and any other error becomes an internal one.
import { RequestError } from '@agentclientprotocol/sdk/unstable'
import { FailureError, messageOf, UserError } from '../base/errors.ts'
import type { CommandReply } from '../session/client.ts'

/** JSON-RPC code for invalid parameters of a request. */
const invalidParams = -32_602
const internalError = -32_603

export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  if (error instanceof UserError) return new RequestError(invalidParams, withHint(error.message, error.hint))
  if (error instanceof FailureError) {
    const { message, hint } = error.failure
    return new RequestError(internalError, withHint(message, hint))
  }
  return new RequestError(internalError, messageOf(error))
}

const withHint = (message: string, hint: string | undefined) =>
  hint === undefined ? message : `${message} (${hint})`

/**
 * Returns the protocol error for a rejected command: a request to log in if no model can be called, invalid
 * parameters for a fault of the caller, else an internal error.
 */
export function refusedCommand({ code, message, hint }: Extract<CommandReply, { ok: false }>): RequestError {
  // with the error code of `authRequired`, the editor offers the user ways to log in
  if (code === 'no_model') return RequestError.authRequired(undefined, withHint(message, hint))
  const isOfCaller = ['bad_args', 'refused', 'not_found'].includes(code)
  return new RequestError(isOfCaller ? invalidParams : internalError, withHint(message, hint))
}
