// The policy of a session: mode, rules and roots from flags, environment and configuration.
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf, UserError } from '../base/errors.ts'
import type { Policy } from '../policy/decide.ts'
import type { Mode } from '../policy/level.ts'
import type { Rule } from '../policy/rule.ts'
import type { Profile } from '../profile/profile.ts'
import type { Surroundings } from './surroundings.ts'

interface Asked {
  mode: Mode
  addDirs: readonly string[]
  env: Readonly<Record<string, string | undefined>>
}

export function policyOf(asked: Asked, around: Surroundings, profile: Profile | undefined): Policy {
  const { config } = around.loaded
  const listed = (asked.env.ANODE_PROTECT_DIRS ?? '').split(':').filter((dir) => dir !== '')
  const preset = config.permissionPreset
  return {
    mode: asked.mode,
    rules: (config.permissions ?? []) as readonly Rule[],
    ...(preset !== undefined && { preset }),
    profile: profile?.name ?? '',
    agent: 'thread',
    readOnly: profile?.readOnly ?? false,
    trusted: around.trusted,
    roots: {
      workspace: around.workspace,
      added: asked.addDirs.map((dir) => realDir(around.workspace, dir)),
      protected: [...(config.protectedDirs ?? []), ...listed].map((dir) => resolve(around.workspace, dir)),
    },
    parents: [],
  }
}

function realDir(base: string, dir: string): string {
  try {
    return realpathSync(resolve(base, dir))
  } catch (error) {
    const hint = 'name a directory that exists'
    throw new UserError(`--add-dir ${dir}: ${messageOf(error)}`, { hint, cause: error })
  }
}
