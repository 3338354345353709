// One MCP server ready for use: its configuration after checks and substitution, with its identity.

import { dirname, isAbsolute, resolve } from 'node:path'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { hideUrlSecrets } from '../../base/url-credentials.ts'
import { type Level, levels } from '../../policy/level.ts'
import type { ServerPlaces } from '../../process/server-sandbox.ts'
import { digestJson } from '../../trust/approval.ts'
import { hiderOf } from './server-secrets.ts'
import { expandAllVariables, expandVariables } from './variable-expansion.ts'

/** Settings of a server; see the configuration's schema for the meaning of each key. */
export interface McpServerSettings {
  type?: string | undefined
  command?: string | undefined
  args?: readonly string[] | undefined
  env?: Readonly<Record<string, string>> | undefined
  cwd?: string | undefined
  sandbox?: ServerPlaces | undefined
  url?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  oauth?: OAuth | undefined
  disabled?: boolean | undefined
  includeTools?: readonly string[] | undefined
  excludeTools?: readonly string[] | undefined
  alwaysLoad?: boolean | readonly string[] | undefined
  level?: string | undefined
  levels?: Readonly<Record<string, string>> | undefined
  trustAnnotations?: boolean | undefined
  startTimeout?: number | undefined
  callTimeout?: number | undefined
}

interface OAuth {
  clientId?: string | undefined
  clientSecret?: string | undefined
  scope?: string | undefined
  callbackPort?: number | undefined
  clientMetadataUrl?: string | undefined
}

/** A server as a configuration file declares it, with the file's origin and path. */
export interface DeclaredServer {
  name: string
  /**
   * Origin of the declaration. A workspace's servers count only if the workspace is trusted, and they may
   * only make permission levels stricter.
   */
  origin: 'user' | 'workspace' | 'skill' | 'client'
  /** Path of the file. For a client's server, a made-up path in the working directory of the session. */
  path: string
  settings: McpServerSettings
}

export type ServerLaunch =
  | { kind: 'stdio'; command: string; args: readonly string[]; env: Record<string, string>; cwd: string }
  | { kind: 'http'; url: URL; headers: Record<string, string>; oauth: OAuth }

export interface McpServer extends DeclaredServer {
  /** Name of the server in the names of its tools. */
  slug: string
  launch: ServerLaunch
  /** Returns a text without the secrets of the settings, for messages. */
  hide(text: string): string
  /** What the server may access in its sandbox; undefined if the server runs without a sandbox. */
  places: ServerPlaces | undefined
  include: readonly string[] | undefined
  exclude: readonly string[]
  /** Names or globs of the tools whose descriptions the model gets without a search. */
  always: readonly string[]
  level: Level | undefined
  levels: readonly (readonly [string, Level])[]
  trustAnnotations: boolean
  startMs: number
  callMs: number
  /**
   * Digest of how the server is launched. Variables are digested as the configuration spells them,
   * without their values.
   */
  print: string
  /**
   * Part of the names of the files in the data directory that belong to this server, such as its tool list,
   * approval and login.
   */
  key: string
}

export interface McpServerContext {
  env: EnvironmentVariables
  /** Real path of the workspace. */
  workspace: string
  /**
   * Default working directory of servers of the user or a client while the workspace is not trusted. They do
   * not start in the workspace, so that they find none of its files.
   */
  home: string
  trusted: boolean
  defaults: { startTimeout?: number | undefined; callTimeout?: number | undefined }
}

/**
 * Returns the server. Throws UserError for settings that cannot be used; an unknown permission
 * level is ignored.
 */
export function serverOf(declared: DeclaredServer, context: McpServerContext): McpServer {
  const { name, origin, path, settings } = declared
  const isOfWorkspace =
    origin === 'workspace' || (origin === 'skill' && path.startsWith(`${context.workspace}/`))
  const { defaults } = context
  const print = printOf(settings)
  const level = levelOf(settings.level, isOfWorkspace)
  const launch = launchOf(declared, context)
  const byTool = Object.entries(settings.levels ?? {}).map(
    ([tool, one]) => [tool, levelOf(one, isOfWorkspace)] as const,
  )
  return {
    name,
    origin,
    path,
    settings,
    slug: slugOf(name),
    launch,
    hide: hiderOf({
      settings,
      env: origin === 'client' ? {} : context.env,
      headers: launch.kind === 'http' ? launch.headers : {},
      serverEnv: launch.kind === 'stdio' ? launch.env : {},
      clientSecret: launch.kind === 'http' ? launch.oauth.clientSecret : undefined,
    }),
    // a workspace's server is always sandboxed, a user's server only if its configuration sets `sandbox`
    places: isOfWorkspace ? (settings.sandbox ?? {}) : settings.sandbox,
    include: settings.includeTools,
    exclude: settings.excludeTools ?? [],
    always: typeof settings.alwaysLoad === 'object' ? settings.alwaysLoad : settings.alwaysLoad ? ['*'] : [],
    level,
    levels: byTool.flatMap(([tool, one]) => (one === undefined ? [] : [[tool, one] as const])),
    trustAnnotations: settings.trustAnnotations === true && !isOfWorkspace,
    startMs: (settings.startTimeout ?? defaults.startTimeout ?? 20) * 1000,
    callMs: (settings.callTimeout ?? defaults.callTimeout ?? 120) * 1000,
    print,
    // The client alone defines its server, so a different launch counts as a different server with
    // its own files.
    key: keyOf(origin === 'client' ? { origin, name: `${name}\0${print}` } : declared, context.workspace),
  }
}

/**
 * Returns the name of the files of a server in the data directory. A server of the user has one name for all
 * workspaces, any other server one for each workspace.
 */
export function keyOf({ name, origin }: Pick<DeclaredServer, 'name' | 'origin'>, workspace: string): string {
  return fingerprint(`${origin === 'user' ? '' : workspace}\0${origin}\0${name}`).slice(0, 32)
}

/**
 * Returns a server's name as used in the names of its tools, with at most 30 characters. Throws UserError if
 * the name has no ASCII letter or digit.
 */
export function slugOf(name: string): string {
  const slug = name
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/_{2,}/g, '_')
    .replace(/^_|_$/g, '')
  if (!/[A-Za-z0-9]/.test(slug)) throw new UserError('its name has no letter from a to z and no digit')
  return slug.slice(0, 30)
}

/**
 * Returns the configured level, or undefined for an unknown one. For a workspace's server, a level less
 * strict than `confirm_execute` counts as unknown.
 */
function levelOf(settings: string | undefined, isOfWorkspace: boolean): Level | undefined {
  const level = levels.find((one) => one === settings)
  return isOfWorkspace && level !== undefined && levels.indexOf(level) < levels.indexOf('confirm_execute')
    ? undefined
    : level
}

function launchOf({ settings, path, origin }: DeclaredServer, context: McpServerContext): ServerLaunch {
  const { command, url, type } = settings
  const env: EnvironmentVariables = { ...context.env, ANODE_WORKSPACE: context.workspace }
  // a client's values are literal, and it must not read secrets of this environment
  const fill = (text: string) => (origin === 'client' ? text : expandVariables(text, env))
  const fillAll = (values: McpServerSettings['env']) =>
    origin === 'client' ? { ...values } : expandAllVariables(values, env)
  if (command !== undefined && url !== undefined) {
    throw new UserError('it has both command and url: a server is started or called, not both')
  }
  const isHttp = type === undefined ? url !== undefined && command === undefined : type !== 'stdio'
  if (isHttp) {
    const address = fill(url ?? '')
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
      throw new UserError(
        `its url ${JSON.stringify(hideUrlSecrets(url ?? ''))} is not an http or https address`,
      )
    }
    const { oauth = {} } = settings
    const filled = Object.fromEntries(
      Object.entries(oauth).map(([key, value]) => [key, typeof value === 'string' ? fill(value) : value]),
    )
    return {
      kind: 'http',
      url: new URL(address),
      headers: fillAll(settings.headers),
      oauth: filled,
    }
  }
  if (command === undefined || command.trim() === '') throw new UserError('it has neither command nor url')
  const base = dirname(path)
  const program = fill(command)
  const isOfUser = origin === 'user' || origin === 'client'
  const fallback = isOfUser && !context.trusted ? context.home : context.workspace
  return {
    kind: 'stdio',
    command: program.includes('/') && !isAbsolute(program) ? resolve(base, program) : program,
    args: (settings.args ?? []).map(fill),
    env: fillAll(settings.env),
    cwd: settings.cwd === undefined ? fallback : resolve(base, fill(settings.cwd)),
  }
}

function printOf({ command, args, env, cwd, sandbox, url, headers, oauth }: McpServerSettings): string {
  return digestJson({ command, args, env, cwd, sandbox, url, headers, oauth })
}

/** Returns a description of a server's sandbox and what it permits in addition to the workspace. */
export function describePlaces({ network = [], read = [], write = [] }: ServerPlaces): string {
  const open = Object.entries({ network, read, write }).filter(([, all]) => all.length > 0)
  return ` [sandboxed${open.map(([what, all]) => `; ${what}: ${all.join(', ')}`).join('')}]`
}

/**
 * Returns the command with its arguments, or the URL, on one line for users. A word with a variable is shown
 * as it is configured, and other secrets are hidden. The environment and the headers are left out.
 */
export function describeLaunch({ launch, settings: { command = '', args = [], url = '' }, hide }: McpServer) {
  const chooseWord = (configured: string, usedWord: string) =>
    configured.includes('${') ? configured : usedWord
  if (launch.kind === 'http') return hide(chooseWord(url, launch.url.href))
  const words = [
    chooseWord(command, launch.command),
    ...launch.args.map((word, i) => chooseWord(args[i] ?? '', word)),
  ]
  return hide(words.map((word) => (/^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word))).join(' '))
}
