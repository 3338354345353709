// The scopes of mailboxes, and the one mailbox with a fixed name.
import { commonDir } from '../repository.ts'

/** The mailbox of the agent that writes the report of a study. */
export const aggregatorMailbox = 'aggman'

/**
 * Returns the scope of a mailbox name: as requested, else ANODE_MAILBOX_SCOPE, else the repository around
 * `root`, whose worktrees all share mailboxes. Outside a repository it is `root` itself, a real path.
 */
export function resolveMailboxScope(
  asked: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): string {
  return asked || env['ANODE_MAILBOX_SCOPE'] || (commonDir(root) ?? root)
}

/**
 * Returns true for a study's scope, `study:<id>`. Inside it, equal messages are duplicates, and a sender
 * cannot choose a name.
 */
export function isStudyScope(scope: string): boolean {
  return scope.startsWith('study:')
}
