// Trust in one workspace: its configuration files, and whether the user allows Anode to use them.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { configDir, dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { grantTrust, readTrustState, revokeTrust } from '../../trust/trust.ts'

/** Trust in a workspace. Its methods throw UserError as those of trust/trust.ts do. */
export interface WorkspaceTrust {
  /** Real path of the workspace. */
  readonly root: string
  /**
   * File in which the user or a script lists digests to trust in advance, by workspace. Each digest covers
   * all files of a workspace that need trust. `grant` and `revoke` do not change this file.
   */
  readonly pinFile: string
  read(): ReturnType<typeof readTrustState>
  /**
   * Trusts the files whose content the user saw. `digest` is the checksum of that content; fails if the
   * content has changed since. Without a digest, trusts the present content.
   */
  grant(digest: string | undefined): Promise<void>
  revoke(): void
}

export function openWorkspaceTrust(cwd: string, env: EnvironmentVariables): WorkspaceTrust {
  const root = realpathSync(cwd)
  const data = dataDir(env)
  return {
    root,
    pinFile: join(configDir(env), 'trusted.json'),
    read: () => readTrustState(root, data, configDir(env)),
    grant: async (digest) => {
      await grantTrust(root, data, digest)
    },
    revoke: () => {
      revokeTrust(root, data)
    },
  }
}
