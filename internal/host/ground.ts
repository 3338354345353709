// What direct calls, runs and children stand on alike: workspace, configuration, capabilities, tools, hooks.
import type { Hooks } from '../hook/fire.ts'
import type { Model } from '../model/model.ts'
import type { Plugins } from '../plugin/plugins.ts'
import type { Mode } from '../policy/level.ts'
import type { Rule } from '../policy/rule.ts'
import type { Run } from '../process/command.ts'
import type { Profiles } from '../profile/load.ts'
import type { Profile } from '../profile/profile.ts'
import type { Entry, Listed } from '../tool/catalog.ts'
import type { Ask, Ctx, Log, Spawn } from '../tool/ctx.ts'
import type { Above } from './above.ts'
import { type Answerers, capabilities, type Resources } from './capabilities.ts'
import type { Foreign } from './extensions/foreign.ts'
import { hooksOf } from './extensions/hooks.ts'
import { pluginsOf } from './extensions/plugins.ts'
import { policyOf } from './policy.ts'
import { recoverDead } from './recover.ts'
import { areNative, follow, list, mayNeed, narrowed, nativeEntries } from './registry.ts'
import { settingsOf } from './settings.ts'
import { profilesOf, type Surroundings, surroundings } from './surroundings.ts'

export interface GroundOptions extends Answerers {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  mode: Mode
  addDirs: readonly string[]
  /** Added to those of the configuration. */
  rules?: readonly Rule[]
  /** The only tools that will be called or looked at; absent: any. Lets native ones be had without asking for others. */
  names?: readonly string[]
}

/** How one session differs from another on the same ground. */
export interface Seat {
  thread: string | undefined
  profile: Profile | undefined
  /** No call follows the first, so that nothing has to be remembered for later ones. */
  single?: boolean
  log: Log
  ask: Ask
  /** Told about hooks that failed. */
  warn(message: string): void
}

export interface Ground {
  readonly around: Surroundings
  readonly resources: Resources
  /** The same array until a server or skill has changed it. */
  entries(): readonly Entry[]
  readonly notes: readonly string[]
  /** Absent when none is configured. */
  readonly plugins: Plugins | undefined
  /** Servers and whatever else does not come with Anode; looked for at the latest now. */
  foreign(): Promise<Foreign>
  profiles(): Promise<Profiles>
  /**
   * Notice of the built-in model that nobody asked for is passed to `note`; without `note` the job needs a language
   * model or one that was asked for by name, and there being none is a UserError.
   */
  model(spec: string | undefined, note?: (text: string) => void): Promise<Model>
  /** The registry as a profile may use it; no profile: all of it. */
  tools(profile: Profile | undefined, only?: readonly string[], child?: boolean): Listed[]
  /** The hooks of whoever sits down first: one session stands on one ground. */
  hooks(seat: Pick<Seat, 'thread' | 'warn'>): Promise<Hooks>
  ctx(seat: Seat): Promise<Ctx>
  /** Lets the agent that `ctx` belongs to start others. */
  spawn(of: Above): Spawn
  close(): Promise<void>
}

/** Throws UserError when the configuration is broken. Close it when done. */
export async function openGround(options: GroundOptions): Promise<Ground> {
  const around = await surroundings(options.cwd, options.env)
  const recovered = await recoverDead(around.data)
  let foreign: Foreign | undefined
  let opening: Promise<Foreign> | undefined
  const others = (): Promise<Foreign> => {
    opening ??= import('./extensions/foreign.ts').then(async ({ openForeign }) => {
      const { run, user } = resources.can
      const { signal } = options
      foreign = await openForeign(around, { run: run as Run, spawn: resources.spawn, user, plugins, signal })
      return foreign
    })
    return opening
  }
  const resources = capabilities(around, options, {
    // a direct call of the tool `skill` has no use for servers
    onSkill: async (skill) => foreign?.addSkill(skill),
    resources: { read: async (mention, signal) => (await others()).read(mention, signal) },
  })
  // these may have a say in every call
  const plugins = await pluginsOf(around, resources.spawn, options.signal)
  const natives = await nativeEntries()
  const { config } = around.loaded
  // whoever calls one tool has no server running that an edit could be told to
  const servers = mayNeed(options.names, natives)
    ? (await import('./extensions/lsp.ts')).languageServers(around, options.addDirs, resources.spawn)
    : undefined
  const can = servers ? { ...resources.can, lsp: servers.can } : resources.can
  if (!options.names || !areNative(options.names, natives)) await others()
  const none: readonly Entry[] = []
  const added = () => foreign?.entries() ?? none
  const entries = follow(added, () => [...natives, ...added()])
  let profiles: Promise<Profiles> | undefined
  let bound: Promise<Hooks> | undefined
  const ground: Ground = {
    around,
    resources,
    entries,
    notes: [...recovered, ...around.loaded.notes, ...notesOf(foreign, entries(), options.names)],
    profiles() {
      profiles ??= profilesOf(around)
      return profiles
    },
    async model(spec, note) {
      const { noModel, pickModel } = await import('../model/pick.ts')
      const { env, cwd } = options
      const picked = await pickModel(spec, {
        env,
        cwd,
        config: { model: config.model, providers: config.providers },
      })
      if (picked.notice !== undefined && !note) throw noModel()
      if (picked.notice !== undefined) note?.(picked.notice)
      return picked.model
    },
    tools(profile, only, child = false) {
      const disabled = config.tools?.disabled ?? []
      const web = config.web?.enabled ?? true
      return narrowed(
        list(entries(), {
          profile,
          disabled,
          web,
          has: () => servers?.can.usable() ?? 'turned off by lsp.enabled',
        }),
        only,
        child,
      )
    },
    hooks({ thread, warn }) {
      const { workspace: cwd } = around
      const { signal } = options
      const host = { run: resources.can.run as Run, cwd, thread, signal, warn }
      bound ??= hooksOf(around, host)
      return bound
    },
    async ctx({ thread, profile, single, log, ask, warn }) {
      const { workspace: cwd } = around
      const { signal } = options
      const hooks = await ground.hooks({ thread, warn })
      return {
        cwd,
        signal,
        call: '',
        thread,
        policy: policyOf(options, around, profile),
        env: options.env,
        settings: settingsOf(config),
        seen: single ? undefined : new Map(),
        log,
        ask,
        answers: resources.answers,
        remember: resources.remember,
        around: [plugins?.around(thread, signal), hooks.around].filter((one) => one !== undefined),
        can,
      }
    },
    spawn: (of) => async (order, signal) => {
      const { spawner } = await import('./spawn.ts')
      return spawner({ ...of, ground })(order, signal)
    },
    foreign: others,
    plugins,
    async close() {
      await servers?.close()
      await plugins?.close()
      await opening?.then(
        (opened) => opened.close(),
        () => undefined,
      )
      await resources.close()
    },
  }
  return ground
}

/** What is wrong with servers and programs; for calls that all of it leaves alone it is not worth a word. */
function notesOf(
  foreign: Foreign | undefined,
  entries: readonly Entry[],
  names: readonly string[] | undefined,
) {
  const isThere = (name: string) => entries.some((one) => one.name === name && one.unusable === undefined)
  return foreign && !names?.every(isThere) ? foreign.notes() : []
}
