// The error for an output file that cannot be written.
import { codeOf, FailureError, messageOf, UserError } from '../../../internal/base/errors.ts'
import { exitCodes } from '../exit-codes.ts'

/** Returns the error to throw for a file that cannot be written; `cause` is the error of the system. */
export function describeWriteFailure(file: string, cause: unknown): UserError {
  const isMissing =
    codeOf(cause) === 'ENOENT' || (cause instanceof FailureError && cause.failure.code === 'not_found')
  const why = isMissing ? 'its folder does not exist' : messageOf(cause)
  const hint = 'name a file in a folder that exists and may be written'
  return new UserError(`${file} cannot be written: ${why}`, { hint, exit: exitCodes.failed, cause })
}
