// Whether this process is a command that an agent has started.
import { dataDir } from '../../base/dirs.ts'
import { isBelowAnode } from '../../process/ancestry.ts'

/**
 * Returns true if a parent of this process, at any distance, is an Anode of this user, even if its
 * environment variables were removed. Without /proc, only the nearest parent is checked.
 */
export function isAgentCommand(env: Readonly<Record<string, string | undefined>>): boolean {
  return isBelowAnode(env, dataDir(env))
}
