// The failure of a start whose program, arguments or environment the system does not accept.
import { codeOf, FailureError } from '../base/errors.ts'

/**
 * Returns the failure for an error that `spawn` throws at once: `bad_args` for a NUL byte, `too_large` for
 * arguments that exceed the limit of the system. Returns undefined for any other error.
 */
export function spawnFailure(error: unknown, file: string): FailureError | undefined {
  const code = codeOf(error)
  if (code === 'ERR_INVALID_ARG_VALUE') {
    const hint = 'Remove the NUL byte and try again.'
    return new FailureError(
      { code: 'bad_args', message: 'a program, argument or variable contains a NUL byte', hint },
      error,
    )
  }
  if (code !== 'E2BIG') return undefined
  const hint = 'Pass the text through standard input or a file.'
  return new FailureError(
    { code: 'too_large', message: `the arguments of ${file} are too long`, hint },
    error,
  )
}
