// Collection of all profiles: those of the configuration, a trusted workspace, the user and the package,
// in this order of precedence. One of them is found by its name, an alias, or the tool or other task
// that it serves.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { diagnoseError, type FileDiagnostic } from '../base/diagnostic.ts'
import { findBuiltin } from '../base/dirs.ts'
import { codeOf, UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/open-file.ts'
import { suggestNames } from '../base/text/name-suggestion.ts'
import { isObject } from '../base/untrusted-json.ts'
import { type Profile, type ProfileOrigin, profileOrigins } from './profile.ts'

/** Sources of profiles. A missing directory is skipped; `workspace` is set only for a trusted workspace. */
interface ProfileSources {
  /**
   * The `profiles` object of the configuration, whose entries change keys of a profile or declare
   * a complete one.
   */
  config?: Readonly<Record<string, unknown>>
  /** Directory of the profiles of the workspace: `<root>/.anode/profiles`. */
  workspace?: string
  /**
   * Directory `<root>/.claude/agents`, which contains agent files of another program. Set only for
   * a trusted workspace.
   */
  agents?: string
  /** Directory of the profiles of the user, usually `~/.config/anode/profiles`. */
  user?: string
  /** Profiles to use instead of those in the package, for tests. */
  builtin?: readonly Profile[]
}

/**
 * All profiles. `broken` contains the names of files and configuration entries that cannot be used. They also
 * hide profiles of the same name with lower precedence.
 */
export interface ProfileSet {
  /** For each name that is not broken, the profile with the highest precedence, sorted by name. */
  readonly all: readonly Profile[]
  /** Name of a profile by alias. The profile may be broken. */
  readonly aliases: ReadonlyMap<string, string>
  /**
   * Map from the name of a task, such as a tool, to the name of the profile that serves it. Of several such
   * profiles, the first in alphabetical order counts. The profile may be broken.
   */
  readonly serving: ReadonlyMap<string, string>
  /** Name of the default profile; undefined without one. */
  readonly standard: string | undefined
  readonly broken: ReadonlyMap<string, FileDiagnostic>
  readonly diagnostics: readonly FileDiagnostic[]
}

/** Loads every profile. Bad files become diagnostics, never exceptions, except those of the package. */
export async function loadProfiles(sources: ProfileSources): Promise<ProfileSet> {
  const profiles = new Map<string, Profile>()
  const broken = new Map<string, FileDiagnostic>()
  const diagnostics: FileDiagnostic[] = []
  let standard: string | undefined

  const put = (profile: Profile) => {
    const below = profiles.get(profile.name)
    const aliases = [...new Set([...profile.aliases, ...(below?.aliases ?? [])])]
    // A profile that replaces another one of the same name also serves the tasks of the replaced one.
    const serves = [...new Set([...profile.serves, ...(below?.serves ?? [])])]
    profiles.set(profile.name, { ...profile, aliases, serves })
    broken.delete(profile.name)
    if (profile.default) standard = profile.name
  }
  // An unreadable file keeps its name, because a less strict profile of the same name must not
  // replace it silently.
  const spoil = (name: string, diagnostic: FileDiagnostic) => {
    broken.set(name, diagnostic)
    diagnostics.push(diagnostic)
  }

  for (const profile of sources.builtin ?? (await loadBuiltinProfiles())) put(profile)
  for (const origin of ['user', 'workspace'] as const) {
    const dir = sources[origin]
    if (dir !== undefined) await readFolder(dir, origin, put, spoil)
  }
  if (sources.agents !== undefined) {
    const isTaken = (name: string) =>
      broken.has(name) ||
      [...profiles.values()].some((one) => one.name === name || one.aliases.includes(name))
    await readAgents(sources.agents, isTaken, put, (one) => diagnostics.push(one))
  }
  const base = (name: string) => (broken.has(name) ? undefined : profiles.get(name))
  await readConfig(sources.config ?? {}, base, put, spoil)

  const all = [...profiles.values()].filter(({ name }) => !broken.has(name)).sort(byName)
  const aliases = settleAliases([...profiles.values()], diagnostics)
  const serving = new Map<string, string>()
  for (const { name, serves } of [...profiles.values()].sort(byName))
    for (const work of serves) if (!serving.has(work)) serving.set(work, name)
  return { all, aliases, serving, standard, broken, diagnostics }
}

/** Parses the directory of built-in profiles for the build. Throws UserError for the first problem. */
export async function parseBuiltinProfiles(dir: string): Promise<Profile[]> {
  const profiles: Profile[] = []
  await readFolder(
    dir,
    'builtin',
    (profile) => profiles.push(profile),
    (_, { where, message }) => {
      throw new UserError(`${where}: ${message}`)
    },
  )
  return profiles.map((profile) => ({ ...profile, path: basename(profile.path) }))
}

/**
 * Returns the profiles of the package. Uses the ones that the build has prepared, if there are any. `from` is
 * the URL of the running file.
 */
export async function loadBuiltinProfiles(from?: string): Promise<Profile[]> {
  const { json, dir } = findBuiltin('profiles', from)
  if (json !== undefined) return JSON.parse(readFileSync(json, 'utf8')) as Profile[]
  return parseBuiltinProfiles(dir)
}

const loadProfileFile = () => import('./profile-file.ts')

type ProfileCallback = (profile: Profile) => void
type DiagnosticCallback = (name: string, diagnostic: FileDiagnostic) => void

async function readFolder(
  dir: string,
  origin: ProfileOrigin,
  put: ProfileCallback,
  spoil: DiagnosticCallback,
): Promise<void> {
  for (const file of markdownIn(dir, spoil)) {
    const path = join(dir, file)
    const name = file.slice(0, -'.md'.length)
    try {
      const text = readSmall(path)
      // The file was deleted between listing and reading, which is not an error.
      if (text === undefined) continue
      const { parseProfile } = await loadProfileFile()
      put(await parseProfile(text, { name, origin, path }))
    } catch (error) {
      spoil(name, diagnoseError(path, error))
    }
  }
}

/**
 * Reads agent files. A file is skipped with a warning if it is invalid or a profile already has its name, so
 * that it never replaces the profile.
 */
async function readAgents(
  dir: string,
  isTaken: (name: string) => boolean,
  put: ProfileCallback,
  report: (diagnostic: FileDiagnostic) => void,
): Promise<void> {
  for (const file of markdownIn(dir, (_, diagnostic) => report(diagnostic))) {
    const path = join(dir, file)
    const warn = (message: string) => report({ severity: 'warning', where: path, message })
    try {
      const text = readSmall(path)
      if (text === undefined) continue
      const { parseAgentFile } = await import('./agent-file.ts')
      const place = { name: file.slice(0, -'.md'.length), origin: 'workspace', path } as const
      const { profile, notes } = await parseAgentFile(text, place)
      for (const note of notes) warn(note)
      if (isTaken(profile.name)) warn(`the name ${profile.name} is taken by a profile; rename the agent`)
      else put(profile)
    } catch (error) {
      const { message } = diagnoseError(path, error)
      warn(`the agent is skipped: ${message}`)
    }
  }
}

async function readConfig(
  entries: Readonly<Record<string, unknown>>,
  base: (name: string) => Profile | undefined,
  put: ProfileCallback,
  spoil: DiagnosticCallback,
): Promise<void> {
  for (const [name, fields] of Object.entries(entries)) {
    const path = `profiles.${name}`
    try {
      if (!isObject(fields)) throw new UserError('must be an object')
      const { readProfile } = await loadProfileFile()
      put(readProfile(fields, { name, origin: 'config', path }, base(name)))
    } catch (error) {
      spoil(name, diagnoseError(path, error))
    }
  }
}

function markdownIn(dir: string, spoil: DiagnosticCallback): string[] {
  try {
    return readdirSync(dir)
      .filter((file) => file.endsWith('.md') && !file.startsWith('.'))
      .sort()
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') spoil(dir, diagnoseError(dir, error))
    return []
  }
}

/**
 * Assigns each alias to one profile, and adds a warning for each profile that does not get it. A profile's
 * name takes precedence over an alias, then higher precedence of the origin decides, then alphabetical order.
 */
function settleAliases(profiles: Profile[], diagnostics: FileDiagnostic[]): Map<string, string> {
  const names = new Set(profiles.map(({ name }) => name))
  const owner = new Map<string, string>()
  const rank = ({ origin }: Profile) => profileOrigins.indexOf(origin)
  for (const { name, aliases, path } of profiles.sort((a, b) => rank(a) - rank(b) || byName(a, b))) {
    for (const alias of aliases) {
      const other = names.has(alias) ? alias : owner.get(alias)
      if (other === undefined) owner.set(alias, name)
      else if (other !== name) {
        const message = `the alias ${alias} of ${name} is not in use: it already means ${other}`
        diagnostics.push({ severity: 'warning', where: path, message })
      }
    }
  }
  return owner
}

const byName = (a: Profile, b: Profile) => (a.name < b.name ? -1 : 1)

/**
 * Returns the profile with that name or alias; without `name`, the default profile. Throws UserError for an
 * unknown or invalid profile, and if the default is requested but not defined.
 */
export function findProfile(profiles: ProfileSet, name: string | undefined): Profile {
  const requestedName = name ?? profiles.standard
  if (requestedName === undefined) {
    throw new UserError('no profile is marked as the default', { hint: 'name one with --profile' })
  }
  const names = new Map(profiles.all.map((profile) => [profile.name, profile]))
  const isOwnName = names.has(requestedName) || profiles.broken.has(requestedName)
  const profileName = isOwnName ? requestedName : (profiles.aliases.get(requestedName) ?? requestedName)
  const match = names.get(profileName)
  if (match) return match
  const broken = profiles.broken.get(profileName)
  if (broken) {
    throw new UserError(`the profile ${profileName} cannot be used: ${broken.where}: ${broken.message}`, {
      hint: broken.hint ?? 'fix or remove it; another profile of the same name is not used in its place',
    })
  }
  const knownNames = [...names.keys(), ...profiles.aliases.keys()]
  throw new UserError(`unknown profile ${requestedName}`, {
    hint: suggestNames(requestedName, knownNames) || `known are ${[...names.keys()].join(', ')}`,
  })
}

/**
 * Returns the profile whose `serves` contains `work` (the name of a tool or of another task), or the default
 * profile. Throws UserError like `findProfile`.
 */
export function findProfileServing(profiles: ProfileSet, work: string): Profile {
  return findProfile(profiles, profiles.serving.get(work))
}
