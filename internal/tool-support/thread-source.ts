// The choice of threads that a tool may read: those of this workspace, or all.
import { FailureError } from '../base/errors.ts'
import type { Level } from '../policy/level.ts'

/**
 * Returns the level of a call that reads threads: `auto_read` for the source `local` (default), which is this
 * workspace, `confirm_execute` for `all`. Throws FailureError `bad_args` for another source.
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

/** Returns the text that describes a read of all workspaces in an approval; undefined for other sources. */
export const describeThreadSource = (source: string): string | undefined =>
  source === 'all' ? 'reads threads of other workspaces' : undefined
