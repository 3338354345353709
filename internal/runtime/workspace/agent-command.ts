// Whether this process is a command that an agent has started.
import { dataDir } from '../../base/dirs.ts'
import { isBelowAnode } from '../../process/ancestry.ts'

/** True below a running Anode of this user, also under another environment. */
export function isAgentCommand(env: Readonly<Record<string, string | undefined>>): boolean {
  return isBelowAnode(env, dataDir(env))
}
