// Which mailboxes belong together, and the one name among them that is fixed.
import { commonDir } from '../repository.ts'

/** The mailbox of the agent that writes the report of a study. */
export const aggregatorMailbox = 'aggman'

/**
 * The scope of a mailbox name: as asked, else ANODE_MAILBOX_SCOPE, else the repository around `root` (all its
 * worktrees share mailboxes), else `root` itself, a real path.
 */
export function resolveMailboxScope(
  asked: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): string {
  return asked || env['ANODE_MAILBOX_SCOPE'] || (commonDir(root) ?? root)
}

/** Inside a study equal messages are one, and a sender is who it is: the scope is `study:<id>`. */
export function isStudyScope(scope: string): boolean {
  return scope.startsWith('study:')
}
