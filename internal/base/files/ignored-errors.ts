// Errors of the file system that are no errors: what is absent, or there already.
import { codeOf } from '../errors.ts'

/** For `catch`: an error with one of these codes of the system is nothing, any other is thrown on. */
export const ignoreCodes =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(codeOf(error) ?? '')) throw error
  }
