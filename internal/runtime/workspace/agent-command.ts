// Whether this process is a command that an agent has started.
import { dataDir } from '../../base/dirs.ts'
import { isBelowAnode } from '../../process/ancestry.ts'

/**
 * Returns true if an Anode of this user started this process or one of its ancestors. That is so if `env` or
 * an ancestor has Anode's marker variable, or if an ancestor is an Anode with the same data directory.
 * Without /proc, only `env` and the parent process are checked.
 */
export function isAgentCommand(env: Readonly<Record<string, string | undefined>>): boolean {
  return isBelowAnode(env, dataDir(env))
}
