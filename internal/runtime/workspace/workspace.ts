// Workspace data that is read before any tool: trust, configuration, profiles, skills, hook files.
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { configDir, dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import type { LoadedConfig } from '../../config/layer.ts'
import { loadConfig } from '../../config/load.ts'
import type { Profile } from '../../profile/profile.ts'
import type { ProfileSet } from '../../profile/profile-set.ts'
import type { Skill } from '../../skill/skill.ts'
import type { OpenSkills } from '../../skill/skill-set.ts'
import { isTrusted, refuseOwnDirectory } from '../../trust/is-trusted.ts'

const loadProfileSet = () => import('../../profile/profile-set.ts')

export interface WorkspaceContext {
  /** Real path of the directory to which all paths are relative. */
  workspace: string
  data: string
  trusted: boolean
  loaded: LoadedConfig
  env: EnvironmentVariables
}

/**
 * Reads the context. Throws UserError for an invalid configuration and for a workspace
 * in Anode's own directories.
 */
export async function readWorkspaceContext(
  cwd: string,
  env: EnvironmentVariables,
): Promise<WorkspaceContext> {
  const workspace = realpathSync(cwd)
  refuseOwnDirectory(workspace, env)
  const data = dataDir(env)
  const trusted = await isTrusted(workspace, data, configDir(env))
  return { workspace, data, trusted, loaded: await loadConfig({ env, workspace, trusted }), env }
}

/** Returns all profiles that apply in this workspace. */
export async function loadWorkspaceProfiles(context: WorkspaceContext): Promise<ProfileSet> {
  const { loadProfiles } = await loadProfileSet()
  return loadProfiles({
    config: (context.loaded.config.profiles ?? {}) as Readonly<Record<string, unknown>>,
    user: join(configDir(context.env), 'profiles'),
    agents: context.trusted ? join(context.workspace, '.claude', 'agents') : undefined,
    workspace: context.trusted ? join(context.workspace, '.anode', 'profiles') : undefined,
  })
}

/**
 * Returns the profile with that name or alias. Throws UserError for a profile that is unknown
 * or cannot be used.
 */
export async function findWorkspaceProfile(context: WorkspaceContext, name: string): Promise<Profile> {
  const { findProfile } = await loadProfileSet()
  return findProfile(await loadWorkspaceProfiles(context), name)
}

/**
 * Returns all skills and commands that apply in this workspace. `onSkill` starts the MCP servers of a skill
 * and returns a text that follows the skill's instructions.
 */
export async function openWorkspaceSkills(
  context: WorkspaceContext,
  onSkill?: (skill: Skill) => Promise<string | undefined>,
): Promise<OpenSkills> {
  const { openSkills } = await import('../../skill/skill-set.ts')
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

/** Returns the path of a workspace's file of hooks, which may not exist. */
export const workspaceHooksFile = (workspace: string): string => join(workspace, '.anode', 'hooks.json')

/**
 * Returns the paths of the existing files of hooks to read: those of the user, and that of the workspace if
 * it is trusted.
 */
export function listHookFiles({ env, workspace, trusted }: WorkspaceContext): string[] {
  return [join(configDir(env), 'hooks.json'), ...(trusted ? [workspaceHooksFile(workspace)] : [])].filter(
    (path) => existsSync(path),
  )
}
