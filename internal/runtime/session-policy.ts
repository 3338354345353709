// Policy of a session: its mode, permission rules and accessible directories, from flags,
// environment and configuration.
import { realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { configDir, findBuiltin, picturesDir } from '../base/dirs.ts'
import { UserError } from '../base/errors.ts'
import { fileMessageOf } from '../base/files/errno.ts'
import { temporaryDir } from '../base/files/temporary-dir.ts'
import type { Policy } from '../policy/decide.ts'
import { effectiveMode, type Mode, readPreset } from '../policy/level.ts'
import { anodeDirs } from '../policy/paths/path-jail.ts'
import type { PermissionRule } from '../policy/rules/permission-rule.ts'
import type { Profile } from '../profile/profile.ts'
import type { ToolsetPolicy } from '../toolset/toolset.ts'
import { refuseOwnDirectory } from '../trust/is-trusted.ts'
import type { WorkspaceContext } from './workspace/workspace.ts'

interface PolicyRequest {
  mode: Mode
  addDirs: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  rules?: readonly PermissionRule[]
  /** Limits that the session's toolset sets. */
  toolset?: ToolsetPolicy | undefined
}

export function buildPolicy(
  request: PolicyRequest,
  context: WorkspaceContext,
  profile: Profile | undefined,
): Policy {
  const { config } = context.loaded
  const { toolset = {} } = request
  const variables = ['ANODE_PROTECT_DIRS', ...(toolset.protectEnv ? [toolset.protectEnv] : [])]
  const listed = variables.flatMap((name) => (request.env[name] ?? '').split(':').filter((dir) => dir !== ''))
  const preset = config.permissionPreset
  return {
    mode: request.mode,
    rules: [
      ...((config.permissions ?? []) as readonly PermissionRule[]),
      ...(request.rules ?? []),
      ...blockRules(config.shell?.blocked ?? []),
      ...(toolset.rules ?? []),
    ],
    preset: preset === undefined ? undefined : readPreset(preset),
    always: toolset.always,
    profile: profile?.name ?? '',
    agent: 'thread',
    readOnly: profile?.readOnly ?? false,
    trusted: context.trusted,
    roots: {
      own: anodeDirs(request.env),
      temporary: temporaryDir(),
      workspace: context.workspace,
      home: toolset.home ? context.workspace : undefined,
      added: request.addDirs.map((dir) => resolveAddedDir(context.workspace, dir, request.env)),
      protected: [...(config.protectedDirs ?? []), ...listed].map((dir) => resolve(context.workspace, dir)),
      reading: readableDirs(request.env),
      instructions: new Set(),
      openInstructions: effectiveMode(request.mode, preset && readPreset(preset)) === 'unrestricted',
    },
    parents: [],
  }
}

/**
 * Returns the real path of a directory that `--add-dir` or another option names. Throws UserError if it does
 * not exist, is not a directory or belongs to Anode. `lead` starts the error message.
 */
export function resolveAddedDir(
  base: string,
  dir: string,
  env: PolicyRequest['env'],
  lead = '--add-dir: ',
): string {
  const hint = 'name a directory that exists'
  try {
    const realDir = realpathSync(resolve(base, dir))
    refuseOwnDirectory(realDir, env, lead)
    if (statSync(realDir).isDirectory()) return realDir
    throw new UserError(`${lead}${dir} is not a directory`, { hint })
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${lead}${fileMessageOf(error, dir)}`, { hint, cause: error })
  }
}

/** Returns deny rules for blocked programs. Rules also match inside wrappers, quotes and nested commands. */
function blockRules(programs: readonly string[]): PermissionRule[] {
  return programs.map((command) => ({
    tool: '*',
    action: 'deny',
    command,
    reason: 'it is blocked',
    origin: 'shell.blocked',
  }))
}

/**
 * Returns the directories outside of the workspace that tools may read: files of skills and cached
 * page images of documents.
 */
function readableDirs(env: PolicyRequest['env']): string[] {
  const dirs = [findBuiltin('skills').dir, join(configDir(env), 'skills'), picturesDir(env)]
  return dirs.flatMap((dir) => {
    try {
      return [realpathSync(dir)]
    } catch {
      // the directory may be created during the session
      return [dir]
    }
  })
}
