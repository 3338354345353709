// Whether this process is a command that an agent has started.
import { dataDir } from '../../base/dirs.ts'
import { isBelowAnode } from '../../process/ancestry.ts'

/** Returns true if this process runs below an Anode of this user, also if the environment was changed. */
export function isAgentCommand(env: Readonly<Record<string, string | undefined>>): boolean {
  return isBelowAnode(env, dataDir(env))
}
