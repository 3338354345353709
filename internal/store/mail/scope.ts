// The scopes of mailboxes, in which mailbox names are valid, and the name of the mailbox of
// a report's writer.
import { commonDir } from '../repository.ts'

/** The mailbox of the agent that writes the report of a study. */
export const aggregatorMailbox = 'aggman'

/**
 * Returns the scope in which a mailbox name is valid: `requestedScope`, else ANODE_MAILBOX_SCOPE, else the
 * git directory that all worktrees of the repository around `root` share. Outside of a repository the scope
 * is `root`, a real path. Empty texts count as unset.
 */
export function resolveMailboxScope(
  requestedScope: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): string {
  return requestedScope || env['ANODE_MAILBOX_SCOPE'] || (commonDir(root) ?? root)
}

/**
 * Returns true for the scope of a study, `study:<id>`. In such a scope equal messages count as duplicates,
 * and senders cannot choose their names.
 */
export function isStudyScope(scope: string): boolean {
  return scope.startsWith('study:')
}
