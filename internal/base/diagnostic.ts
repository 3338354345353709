// Problems of a file that was skipped or only partly understood, for `list`, `doctor` and standard error.
import { codeOf, messageOf, UserError } from './errors.ts'

export interface FileDiagnostic {
  /** `error`: the declarations of the file are not in use. `warning`: they are in use, with a notice. */
  severity: 'error' | 'warning'
  /** The file, or the key of the configuration. */
  where: string
  message: string
  hint?: string
}

/**
 * Returns the diagnostic for an error of reading `where`. Rethrows errors that neither a user nor
 * the system caused.
 */
export function diagnoseError(where: string, error: unknown): FileDiagnostic {
  if (!(error instanceof UserError) && codeOf(error) === undefined) throw error
  const hint = error instanceof UserError ? error.hint : undefined
  return { severity: 'error', where, message: messageOf(error), hint }
}
