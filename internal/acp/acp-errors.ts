// Errors of the program as errors of the protocol: what a person can mend is no fault of the program.
import { RequestError } from '@agentclientprotocol/sdk/unstable'
import { FailureError, messageOf, UserError } from '../base/errors.ts'
import type { CommandReply } from '../session/client.ts'

/** JSON-RPC's code of a request that cannot be done as it is. */
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

/** The error for a command that was refused. */
export function refusedCommand({ code, message, hint }: Extract<CommandReply, { ok: false }>): RequestError {
  // the editor offers the ways to log in
  if (code === 'no_model') return RequestError.authRequired(undefined, withHint(message, hint))
  const isOfCaller = ['bad_args', 'refused', 'not_found'].includes(code)
  return new RequestError(isOfCaller ? invalidParams : internalError, withHint(message, hint))
}
