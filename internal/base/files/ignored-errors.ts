// A handler that ignores expected errors of the file system, such as a missing file.
import { codeOf } from '../errors.ts'

/** Returns a handler for `catch` that ignores errors with these system codes and rethrows all others. */
export const ignoreCodes =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(codeOf(error) ?? '')) throw error
  }
