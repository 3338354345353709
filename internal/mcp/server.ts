// One MCP server as it is used: what the configuration says of it, checked, filled in and identified.
import { dirname, isAbsolute, resolve } from 'node:path'
import { UserError } from '../base/errors.ts'
import { fingerprint } from '../base/fingerprint.ts'
import { type Level, levels } from '../policy/level.ts'
import { digest } from '../trust/approval.ts'
import { expand, expandAll } from './expand.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What may be said of a server; see the configuration's schema for the meaning of each key. */
export interface Said {
  type?: string | undefined
  command?: string | undefined
  args?: readonly string[] | undefined
  env?: Readonly<Record<string, string>> | undefined
  cwd?: string | undefined
  url?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  oauth?: OAuth | undefined
  disabled?: boolean | undefined
  includeTools?: readonly string[] | undefined
  excludeTools?: readonly string[] | undefined
  level?: string | undefined
  levels?: Readonly<Record<string, string>> | undefined
  trustAnnotations?: boolean | undefined
  startTimeout?: number | undefined
  callTimeout?: number | undefined
}

export interface OAuth {
  clientId?: string | undefined
  clientSecret?: string | undefined
  scope?: string | undefined
  callbackPort?: number | undefined
  clientMetadataUrl?: string | undefined
}

/** A server in a file: who brought it, and where it stands. */
export interface Declared {
  name: string
  /** What a workspace brings counts only when it is trusted, and may raise levels but not lower them. */
  origin: 'user' | 'workspace' | 'skill'
  /** The file. */
  path: string
  said: Said
}

export type Launch =
  | { kind: 'stdio'; command: string; args: readonly string[]; env: Record<string, string>; cwd: string }
  | { kind: 'http'; url: URL; headers: Record<string, string>; oauth: OAuth }

export interface Server extends Pick<Declared, 'name' | 'origin' | 'path'> {
  /** Name as it stands in tool names. */
  slug: string
  launch: Launch
  include: readonly string[] | undefined
  exclude: readonly string[]
  level: Level | undefined
  levels: readonly (readonly [string, Level])[]
  trustAnnotations: boolean
  startMs: number
  callMs: number
  /** Digest of how it is started; secrets count by the name of their variable. */
  print: string
  /** Name of its files in the data directory. */
  key: string
}

export interface Around {
  env: Env
  /** Real path. */
  workspace: string
  /** Where servers of the user start when they do not say: nothing of an untrusted workspace may be picked up. */
  home: string
  trusted: boolean
  defaults: { startTimeout?: number | undefined; callTimeout?: number | undefined }
}

/** Throws UserError for what cannot be used. */
export function serverOf(declared: Declared, around: Around): Server {
  const { name, origin, path, said } = declared
  const own = origin === 'workspace' || (origin === 'skill' && path.startsWith(`${around.workspace}/`))
  const { defaults } = around
  const level = levelOf(said.level, own)
  const byTool = Object.entries(said.levels ?? {}).map(([tool, one]) => [tool, levelOf(one, own)] as const)
  return {
    name,
    origin,
    path,
    slug: slugOf(name),
    launch: launchOf(declared, around),
    include: said.includeTools,
    exclude: said.excludeTools ?? [],
    level,
    levels: byTool.flatMap(([tool, one]) => (one === undefined ? [] : [[tool, one] as const])),
    trustAnnotations: said.trustAnnotations === true && !own,
    startMs: (said.startTimeout ?? defaults.startTimeout ?? 20) * 1000,
    callMs: (said.callTimeout ?? defaults.callTimeout ?? 120) * 1000,
    print: printOf(said),
    key: keyOf(declared, around.workspace),
  }
}

/** Name of a server's files in the data directory. */
export function keyOf({ name, origin }: Pick<Declared, 'name' | 'origin'>, workspace: string): string {
  return fingerprint(`${origin === 'user' ? '' : workspace}\0${origin}\0${name}`).slice(0, 32)
}

/** A server's name as it stands in the names of its tools. Throws UserError for one that leaves nothing. */
export function slugOf(name: string): string {
  const slug = name
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/_{2,}/g, '_')
    .replace(/^_|_$/g, '')
  if (!/[A-Za-z0-9]/.test(slug)) throw new UserError('its name has no letter or digit')
  return slug.slice(0, 30)
}

/** A workspace may make tools of its servers stricter than they are anyway, not milder. */
function levelOf(said: string | undefined, own: boolean): Level | undefined {
  const level = levels.find((one) => one === said)
  return own && level !== undefined && levels.indexOf(level) < levels.indexOf('confirm_execute')
    ? undefined
    : level
}

function launchOf({ said, path, origin }: Declared, around: Around): Launch {
  const { command, url, type } = said
  const env: Env = { ...around.env, ANODE_WORKSPACE: around.workspace }
  if (command !== undefined && url !== undefined) {
    throw new UserError('it has both command and url: a server is started or called, not both')
  }
  const isHttp = type === undefined ? url !== undefined && command === undefined : type !== 'stdio'
  if (isHttp) {
    const address = expand(url ?? '', env)
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
      throw new UserError(`its url ${JSON.stringify(address)} is not an http or https address`)
    }
    const { oauth = {} } = said
    const filled = Object.fromEntries(
      Object.entries(oauth).map(([key, value]) => [
        key,
        typeof value === 'string' ? expand(value, env) : value,
      ]),
    )
    return { kind: 'http', url: new URL(address), headers: expandAll(said.headers, env), oauth: filled }
  }
  if (command === undefined || command.trim() === '') throw new UserError('it has neither command nor url')
  const base = dirname(path)
  const program = expand(command, env)
  const fallback = origin === 'user' && !around.trusted ? around.home : around.workspace
  return {
    kind: 'stdio',
    command: program.includes('/') && !isAbsolute(program) ? resolve(base, program) : program,
    args: (said.args ?? []).map((arg) => expand(arg, env)),
    env: expandAll(said.env, env),
    cwd: said.cwd === undefined ? fallback : resolve(base, expand(said.cwd, env)),
  }
}

function printOf({ command, args, env, cwd, url, headers, oauth }: Said): string {
  return digest({ command, args, env, cwd, url, headers, oauth })
}

/** How it is started, on one line, without the values of variables and headers. */
export function spell({ launch }: Server): string {
  if (launch.kind === 'http') return launch.url.href
  return [launch.command, ...launch.args]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ')
}
