// The kinds of errors: a Failure for the model, a UserError for the user; all others are bugs.

/** Codes of failed results. They are part of the contract: scripts and models branch on them. */
export const failureCodes = [
  // codes of failed edits and patches
  'ambiguous',
  'old_not_found',
  'occurrence_out_of_range',
  'no_change',
  'stale_read',
  'bad_patch',
  'hunk_mismatch',
  'unsupported_binary_patch',
  'binary_or_encoding',
  'file_exists',
  'file_missing',
  'is_directory',
  'not_a_directory',
  // codes that every tool can return
  'unknown_tool',
  'bad_args',
  'unavailable',
  'denied',
  'outside_workspace',
  'sensitive_path',
  'protected_path',
  'timeout',
  'cancelled',
  'too_large',
  'not_found',
  'not_planning',
  'plan_empty',
  'nothing_to_undo',
  'blocked_address',
  'http_status',
  'no_user_available',
  'interrupted',
  'lagged',
  'internal',
  // codes of failed programs, network requests and file access
  'command_failed',
  'network',
  'io',
  // codes of failed tasks and messages between agents
  'cycle',
  'mailbox_full',
  'dead_recipient',
  'sender_read_only',
  // codes of the tools `render` and `chart`
  'bad_spec',
  'one_of_data_series',
  // codes of failed experiments
  'session_active',
  'no_session',
  'run_pending',
  'no_command',
  'nothing_pending',
  'failed_run_not_keepable',
  'checks_failed',
  'baseline_exists',
  'no_baseline',
  'max_runs_reached',
  'stale',
  'needs_git',
  'lock_violation',
  'run_failed',
  'limit_reached',
  'busy',
] as const

export type FailureCode = (typeof failureCodes)[number]

/**
 * The reason of a failed result, in words that a model can act on. `hint` is the next step in one sentence.
 */
export interface Failure {
  code: FailureCode
  message: string
  hint?: string
  detail?: Record<string, unknown>
}

/**
 * An error that the user can fix: one line with what happened, and a `hint` with what to do next, if
 * there is one.
 */
export class UserError extends Error {
  override readonly name = 'UserError'
  readonly hint: string | undefined
  /** Process exit code, see manual/exit-codes.md. Default: 2, which means that nothing has run. */
  readonly exit: number

  constructor(message: string, options: { hint?: string; exit?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.hint = options.hint
    this.exit = options.exit ?? 2
  }
}

/**
 * Returns the failure that a model gets for an error that a user could fix: `bad_args` if the exit code is
 * 2, else `run_failed`.
 */
export function userFailure({ message, hint, exit }: UserError): Failure {
  const code = exit === 2 ? 'bad_args' : 'run_failed'
  return { code, message, hint }
}

/** An error that carries a Failure, for code that can only throw. `invoke` turns it into a failed result. */
export class FailureError extends Error {
  override readonly name = 'FailureError'
  readonly failure: Failure

  constructor(failure: Failure, cause?: unknown) {
    super(failure.message, cause === undefined ? undefined : { cause })
    this.failure = failure
  }
}

/**
 * Returns the `code` of a thrown value, such as `ENOENT` or `ENOSPC` of the system; undefined if it is
 * not a string.
 */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/** Returns the message of a thrown value, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
