// The composition root: surroundings, configuration, policy, capabilities and tools joined into one session.
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf, UserError } from '../base/errors.ts'
import type { Policy } from '../policy/decide.ts'
import type { Mode } from '../policy/level.ts'
import type { Rule } from '../policy/rule.ts'
import type { Run } from '../process/command.ts'
import { findProfile } from '../profile/find.ts'
import type { Profile } from '../profile/profile.ts'
import { type Catalog, catalog } from '../tool/catalog.ts'
import type { Ask, Ctx } from '../tool/ctx.ts'
import { capabilities, type Terminal } from './capabilities.ts'
import { hooksOf } from './hooks.ts'
import { directLog } from './log.ts'
import { recoverDead } from './recover.ts'
import { list, nativeEntries } from './registry.ts'
import { profilesOf, type Surroundings, surroundings } from './surroundings.ts'

export interface SessionOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Absent: the whole registry rather than what one profile may call. */
  profile?: string
  mode: Mode
  /** `flag`: the person approved everything that is not denied by typing a flag. */
  approval: 'none' | 'flag'
  addDirs: readonly string[]
  record: 'changes' | 'always'
  /** File with answers for ask_user. */
  answers?: string
  /** Streams of a terminal where a person can be asked. */
  terminal: Terminal | undefined
}

export interface Session {
  readonly ctx: Ctx
  readonly catalog: Catalog
  readonly profile: Profile | undefined
  /** What the person should be told: ignored files, names that match nothing. */
  readonly notes: readonly string[]
  close(): Promise<void>
}

export async function openSession(options: SessionOptions): Promise<Session> {
  const around = await surroundings(options.cwd, options.env)
  const recovered = await recoverDead(around.data)
  const { config } = around.loaded
  const profile = options.profile === undefined ? undefined : await pickProfile(around, options.profile)
  const policy = policyOf(options, around, profile)
  const resources = capabilities(around, options)
  const log = directLog({
    store: resources.store,
    workspace: around.workspace,
    profile: profile?.name ?? '',
    record: options.record,
  })
  const warnings: string[] = []
  const hooks = await hooksOf(around, {
    run: resources.can.run as Run,
    cwd: around.workspace,
    thread: undefined,
    signal: options.signal,
    warn: (message) => warnings.push(message),
  })
  const ctx: Ctx = {
    cwd: around.workspace,
    signal: options.signal,
    call: '',
    thread: undefined,
    policy,
    env: options.env,
    settings: settingsOf(around),
    seen: new Map(),
    log,
    ask: answerer(options),
    answers: resources.answers,
    remember: resources.remember,
    around: hooks.around ? [hooks.around] : [],
    can: resources.can,
  }
  const toolbox = await resources.toolbox()
  const entries = [...(await nativeEntries()), ...toolbox.entries]
  const listed = list(entries, {
    profile,
    disabled: config.tools?.disabled ?? [],
    web: config.web?.enabled ?? true,
    unavailable: new Map(),
  })
  return {
    ctx,
    catalog: catalog(listed),
    profile,
    notes: [
      ...recovered,
      ...around.loaded.notes,
      ...warnings,
      ...toolbox.notes,
      ...(await unmatched(profile, entries)),
    ],
    close: () => resources.close(),
  }
}

async function pickProfile(around: Surroundings, name: string): Promise<Profile> {
  return findProfile(await profilesOf(around), name)
}

async function unmatched(
  profile: Profile | undefined,
  entries: readonly { name: string }[],
): Promise<string[]> {
  if (!profile || profile.origin === 'builtin') return []
  const { unmatchedWarning } = await import('../profile/filter.ts')
  const warning = unmatchedWarning(
    profile,
    entries.map(({ name }) => name),
  )
  return warning === undefined ? [] : [warning]
}

export function policyOf(
  options: Pick<SessionOptions, 'mode' | 'addDirs' | 'env'>,
  around: Surroundings,
  profile: Profile | undefined,
): Policy {
  const { config } = around.loaded
  const listed = (options.env.ANODE_PROTECT_DIRS ?? '').split(':').filter((dir) => dir !== '')
  const preset = config.permissionPreset
  return {
    mode: options.mode,
    rules: (config.permissions ?? []) as readonly Rule[],
    ...(preset !== undefined && { preset }),
    profile: profile?.name ?? '',
    agent: 'thread',
    readOnly: profile?.readOnly ?? false,
    trusted: around.trusted,
    roots: {
      workspace: around.workspace,
      added: options.addDirs.map((dir) => realDir(around.workspace, dir, '--add-dir')),
      protected: [...(config.protectedDirs ?? []), ...listed].map((dir) => resolve(around.workspace, dir)),
    },
    parents: [],
  }
}

function realDir(base: string, dir: string, flag: string): string {
  try {
    return realpathSync(resolve(base, dir))
  } catch (error) {
    throw new UserError(`${flag} ${dir}: ${messageOf(error)}`, {
      hint: 'name a directory that exists',
      cause: error,
    })
  }
}

export function settingsOf({ loaded: { config } }: Surroundings): Ctx['settings'] {
  return {
    web: { ...config.web, enabled: config.web?.enabled ?? true },
    shell: { env: config.shell?.env ?? [], blocked: config.shell?.blocked ?? [] },
    lookAt: { targets: config.lookAt?.targets ?? {} },
  }
}

/** Direct calls are approved by the flag or not at all; nothing here ever waits. */
function answerer(options: SessionOptions): Ask {
  if (options.approval === 'flag') return async () => ({ allow: true, why: '--allow-non-read' })
  return async () => ({ allow: false, why: 'to run it anyway, add --allow-non-read' })
}
