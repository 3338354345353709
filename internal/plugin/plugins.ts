// All plugins of a session: their tools, the events that they receive, and their decisions on
// calls, in order.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { FailureError, messageOf, UserError } from '../base/errors.ts'
import { writeAtomic } from '../base/files/atomic-write.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { readSmall } from '../base/files/open-file.ts'
import type { Event } from '../event/event.ts'
import { matchWildcard } from '../policy/rules/rule-match.ts'
import { doesDeedOf } from '../policy/tool-deeds.ts'
import type { CallMiddleware } from '../tool/call-middleware.ts'
import type { Tool } from '../tool/tool.ts'
import {
  isOfFile,
  openPlugin,
  type Plugin,
  type PluginHostOptions,
  type PluginManifest,
  type PluginSetting,
} from './plugin.ts'

export interface PluginSet {
  readonly all: readonly Plugin[]
  /** Tools of all plugins; `origin` is `plugin` and the name of the plugin. */
  readonly tools: readonly { tool: Tool; origin: string }[]
  /**
   * One line with the reason for each unusable plugin, and for each tool whose name an earlier plugin has.
   */
  readonly notes: readonly string[]
  /** Sends an event to the subscribed plugins without waiting. */
  event(thread: string | undefined, event: Event): void
  /**
   * Returns middleware that, before each call, asks the plugins that decide about its tool; undefined
   * if no plugin decides about calls. If a plugin that may guard calls is unusable, the middleware
   * denies every call.
   */
  middleware(thread: string | undefined, signal: AbortSignal): CallMiddleware | undefined
  close(): Promise<void>
}

/** Opens the plugins. Never rejects for an error of a plugin. Manifests are stored in `cacheDir`. */
export async function openPlugins(
  settings: readonly PluginSetting[],
  cacheDir: string,
  means: PluginHostOptions,
  signal: AbortSignal,
): Promise<PluginSet> {
  const file = join(cacheDir, 'plugins.json')
  const cache = readCache(file)
  const notes: string[] = []
  const lost: string[] = []
  const opened = await Promise.all(
    settings.map(async (setting) => {
      try {
        return await openPlugin(setting, cache[setting.path], means, signal)
      } catch (error) {
        if (!(error instanceof UserError || error instanceof FailureError)) throw error
        notes.push(`plugin ${setting.path}: ${messageOf(error)}`)
        if (mayRefuse(setting.path, cache[setting.path]))
          lost.push(`the plugin ${setting.path} could not be asked: ${messageOf(error)}`)
        return undefined
      }
    }),
  )
  const all = opened.filter((one) => one !== undefined)
  if (all.some(({ path, about }) => cache[path] !== about)) {
    const fresh = Object.fromEntries(all.map(({ path, about }) => [path, about]))
    makeDirectory(cacheDir)
    await writeAtomic(file, Buffer.from(JSON.stringify({ ...cache, ...fresh })), { mode: 0o600 })
  }
  const tools = collectTools(all, notes)
  const deciders = all.filter(({ decide }) => decide !== undefined)
  return {
    all,
    tools,
    notes,
    event(thread, event) {
      for (const one of all) {
        if (one.events === 'all' || one.events.includes(event.type)) one.tell(thread, event)
      }
    },
    middleware(thread, until) {
      const [lossMessage] = lost
      if (lossMessage !== undefined) return { before: async () => ({ deny: lossMessage }) }
      if (deciders.length === 0) return undefined
      return {
        async before(tool, args) {
          for (const one of deciders) {
            if (one.decide?.tools && !guardsTool(one.decide.tools, tool)) continue
            const denied = await one.ask({ tool, arguments: args, thread: thread ?? null }, until)
            if (denied) return denied
          }
          return undefined
        },
      }
    },
    async close() {
      await Promise.all(all.map((one) => one.close()))
    },
  }
}

/**
 * Returns the tools of all plugins. Of two tools with the same name, returns the first and adds a line about
 * the other to `notes`.
 */
function collectTools(plugins: readonly Plugin[], notes: string[]): { tool: Tool; origin: string }[] {
  const entries: { tool: Tool; origin: string }[] = []
  for (const { tools, about, path } of plugins) {
    for (const tool of tools) {
      if (entries.some((one) => one.tool.name === tool.name))
        notes.push(`plugin ${path}: ${tool.name} exists already`)
      else entries.push({ tool, origin: `plugin ${about.said.name}` })
    }
  }
  return entries
}

/**
 * Returns true if a plugin with these patterns decides about `tool`. A plugin that guards `bash` also guards
 * the other tools that run commands.
 */
function guardsTool(patterns: readonly string[], tool: string): boolean {
  const names = (name: string) => patterns.some((pattern) => matchWildcard(pattern, name))
  return names(tool) || doesDeedOf(tool, names)
}

/**
 * Returns true if an unusable plugin may be one that decides about calls and whose errors deny them. That
 * includes a plugin that never answered, and one whose file has changed since its last answer.
 */
function mayRefuse(path: string, about: PluginManifest | undefined): boolean {
  if (!about || hasChanged(path, about)) return true
  const decide = about.said.capabilities?.decide
  return decide === true || (typeof decide === 'object' && decide.onError !== 'allow')
}

/**
 * Returns whether the file has changed. A missing file counts as unchanged, an unreadable file as changed.
 */
function hasChanged(path: string, about: PluginManifest): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat !== undefined && !isOfFile(about, stat)
  } catch {
    return true
  }
}

/**
 * Returns the stored manifests, without malformed ones; empty if the file is missing or unreadable, so that
 * every plugin is asked again.
 */
function readCache(file: string): Record<string, PluginManifest> {
  try {
    const value: unknown = JSON.parse(readSmall(file, 4 << 20) ?? '{}')
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(Object.entries(value).filter(([, about]) => isManifest(about)))
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof UserError)) throw error
    return {}
  }
}

function isManifest(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const about = value as Partial<PluginManifest>
  return typeof about.said === 'object' && about.said !== null && Array.isArray(about.tools)
}
