// What is wrong with a file that was left out or only half understood, for `list`, `doctor` and standard
// error.
import { codeOf, messageOf, UserError } from './errors.ts'

export interface FileDiagnostic {
  /** `error`: what the file declares is not in use. `warning`: it is, with something noted. */
  severity: 'error' | 'warning'
  /** The file, or the key of the configuration. */
  where: string
  message: string
  hint?: string
}

/**
 * The diagnostic for what reading `where` threw. Errors that neither a person nor the system caused are
 * thrown on.
 */
export function diagnoseError(where: string, error: unknown): FileDiagnostic {
  if (!(error instanceof UserError) && codeOf(error) === undefined) throw error
  const hint = error instanceof UserError ? error.hint : undefined
  return { severity: 'error', where, message: messageOf(error), hint }
}
