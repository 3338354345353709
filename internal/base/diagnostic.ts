// What is wrong with a file that was left out or only half understood, for `list`, `doctor` and standard error.

export interface Diagnostic {
  /** `error`: what the file declares is not in use. `warning`: it is, with something noted. */
  severity: 'error' | 'warning'
  /** The file, or the key of the configuration. */
  where: string
  message: string
  hint?: string
}
