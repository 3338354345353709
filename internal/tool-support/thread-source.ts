// The choice of threads that a tool may read: those of this workspace, or all.
import { FailureError } from '../base/errors.ts'
import type { Level } from '../policy/level.ts'

/**
 * Returns the level of a call that reads the threads of `source`: `local` for this workspace, which is the
 * default, or `all`. Throws FailureError `bad_args` for another source.
 */
export function threadSourceLevel(source = 'local'): Level {
  if (source === 'local') return 'auto_read'
  // Threads of other workspaces may contain content that this workspace must not see, so reading
  // them needs approval.
  if (source === 'all') return 'confirm_execute'
  throw new FailureError({
    code: 'bad_args',
    message: `unknown thread source ${JSON.stringify(source)}`,
    hint: 'Use local or all.',
  })
}

/** Describes a call that reads threads of this source, for approvals. */
export const describeThreadSource = (source: string): string | undefined =>
  source === 'all' ? 'reads threads of other workspaces' : undefined
