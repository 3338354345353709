// What is known before any tool is looked at: workspace, trust, configuration, profiles, skills.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { configDir, dataDir } from '../../base/dirs.ts'
import type { LoadedConfig } from '../../config/layer.ts'
import { loadConfig } from '../../config/load.ts'
import type { Profile } from '../../profile/profile.ts'
import type { ProfileSet } from '../../profile/profile-set.ts'
import type { OpenSkills } from '../../skill/session-skills.ts'
import type { Skill } from '../../skill/skill.ts'
import { isTrusted } from '../../trust/is-trusted.ts'
import { refuseOwnDirectory } from '../../trust/own-directory.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface WorkspaceContext {
  /** Real path of the directory everything is relative to. */
  workspace: string
  data: string
  trusted: boolean
  loaded: LoadedConfig
  env: Env
}

/** Throws UserError for a broken configuration and for a workspace in Anode's own directories. */
export async function readWorkspaceContext(cwd: string, env: Env): Promise<WorkspaceContext> {
  const workspace = realpathSync(cwd)
  refuseOwnDirectory(workspace, env)
  const data = dataDir(env)
  const trusted = await isTrusted(workspace, data, configDir(env))
  return { workspace, data, trusted, loaded: await loadConfig({ env, workspace, trusted }), env }
}

/** All profiles that count here. */
export async function loadWorkspaceProfiles(context: WorkspaceContext): Promise<ProfileSet> {
  const { loadProfiles } = await import('../../profile/profile-set.ts')
  return loadProfiles({
    config: (context.loaded.config.profiles ?? {}) as Readonly<Record<string, unknown>>,
    user: join(configDir(context.env), 'profiles'),
    agents: context.trusted ? join(context.workspace, '.claude', 'agents') : undefined,
    workspace: context.trusted ? join(context.workspace, '.anode', 'profiles') : undefined,
  })
}

/** The profile of that name or alias. Throws UserError for one that is unknown or cannot be used. */
export async function findWorkspaceProfile(context: WorkspaceContext, name: string): Promise<Profile> {
  const { findProfile } = await import('../../profile/profile-lookup.ts')
  return findProfile(await loadWorkspaceProfiles(context), name)
}

/** All skills that count here. `onSkill` adds to the instructions of one that brings servers. */
export async function openWorkspaceSkills(
  context: WorkspaceContext,
  onSkill?: (skill: Skill) => Promise<string | undefined>,
): Promise<OpenSkills> {
  const { openSkills } = await import('../../skill/session-skills.ts')
  const { workspace, trusted, env } = context
  const inWorkspace = (kind: string) =>
    trusted ? ['.claude', '.agents', '.anode'].map((dir) => join(workspace, dir, kind)) : []
  const sources = {
    user: join(configDir(env), 'skills'),
    workspace: inWorkspace('skills'),
    commands: { user: join(configDir(env), 'commands'), workspace: inWorkspace('commands') },
  }
  return openSkills(sources, async (skill) => (skill.mcp ? onSkill?.(skill) : undefined))
}
