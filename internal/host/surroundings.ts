// What is known before any tool is looked at: workspace, trust, configuration, profiles, skills.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { configDir, dataDir } from '../base/dirs.ts'
import { type Loaded, loadConfig } from '../config/load.ts'
import type { Profiles } from '../profile/load.ts'
import type { OpenSkills } from '../skill/open.ts'
import type { Skill } from '../skill/skill.ts'
import { isTrusted } from '../trust/is-trusted.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface Surroundings {
  /** Real path of the directory everything is relative to. */
  workspace: string
  data: string
  trusted: boolean
  loaded: Loaded
  env: Env
}

/** Throws UserError when the configuration is broken. */
export async function surroundings(cwd: string, env: Env): Promise<Surroundings> {
  const workspace = realpathSync(cwd)
  const data = dataDir(env)
  const trusted = await isTrusted(workspace, data, configDir(env))
  return { workspace, data, trusted, loaded: await loadConfig({ env, workspace, trusted }), env }
}

/** All profiles that count here. */
export async function profilesOf(around: Surroundings): Promise<Profiles> {
  const { loadProfiles } = await import('../profile/load.ts')
  return loadProfiles({
    config: (around.loaded.config.profiles ?? {}) as Readonly<Record<string, unknown>>,
    user: join(configDir(around.env), 'profiles'),
    ...(around.trusted && { workspace: join(around.workspace, '.anode', 'profiles') }),
  })
}

/** All skills that count here. `onSkill` adds to the instructions of one that brings servers. */
export async function skillsOf(
  around: Surroundings,
  onSkill?: (skill: Skill) => Promise<string | undefined>,
): Promise<OpenSkills> {
  const { openSkills } = await import('../skill/open.ts')
  const { workspace, trusted, env } = around
  const sources = {
    user: join(configDir(env), 'skills'),
    ...(trusted && {
      workspace: [join(workspace, '.agents', 'skills'), join(workspace, '.anode', 'skills')],
    }),
  }
  return openSkills(sources, async (skill) => (skill.mcp ? onSkill?.(skill) : undefined))
}
