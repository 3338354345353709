// Collection of the skills from the package, the user and a trusted workspace, read at the first use. If two
// have the same name, the one from the later origin is used.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { diagnoseError, type FileDiagnostic } from '../base/diagnostic.ts'
import { findBuiltin } from '../base/dirs.ts'
import { codeOf, UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/open-file.ts'
import { readFrontmatter } from '../base/text/frontmatter.ts'
import { findNearest } from '../base/text/name-suggestion.ts'
import { isObject } from '../base/untrusted-json.ts'
import type { SkillCatalog } from '../tool/ctx.ts'
import { fillInput, findCommandFiles, parseCommand } from './command-file.ts'
import type { Skill, SkillOrigin } from './skill.ts'

/**
 * Directories to search for skills and commands. A directory that does not exist is skipped. For a workspace
 * that is not trusted, `workspace` and `commands.workspace` are not set.
 */
interface SkillSources {
  /** Directory of the skills of the user: `~/.config/anode/skills`. */
  user?: string
  /**
   * Directories of skills in the workspace: `<root>/.claude/skills`, `<root>/.agents/skills` and
   * `<root>/.anode/skills`, in this order.
   */
  workspace?: readonly string[]
  /**
   * Directories of command files. If a skill and a command of one origin have the same name, the
   * skill is used.
   */
  commands?: { user?: string; workspace?: readonly string[] }
  /** Skills to use instead of those in the package, for tests. */
  builtin?: readonly Skill[]
}

interface SkillSet {
  /** For each name, the skill that is used, sorted by name. */
  readonly all: readonly Skill[]
  readonly diagnostics: readonly FileDiagnostic[]
}

/** The capability `can.skills`, with the whole set for lists and diagnosis. */
export interface OpenSkills extends SkillCatalog {
  set(): Promise<SkillSet>
}

/**
 * Returns the catalog of skills, which reads their files at its first call. `onLoad` runs before the
 * instructions of a skill are returned, for example to connect its MCP servers. Its text follows the
 * instructions; its error makes the load fail.
 */
export function openSkills(
  sources: SkillSources,
  onLoad?: (skill: Skill) => Promise<string | undefined>,
): OpenSkills {
  let loading: Promise<SkillSet> | undefined
  const set = () => {
    loading ??= loadSkills(sources)
    return loading
  }
  return {
    set,
    async list() {
      const { all } = await set()
      return all.map(({ name, description, origin, dir, command }) => ({
        name,
        description,
        origin,
        path: command ?? join(dir, 'SKILL.md'),
      }))
    },
    async load(name, input) {
      const skill = (await set()).all.find((skill) => skill.name === name)
      if (!skill) return undefined
      const note = await onLoad?.(skill)
      const text = fillInput(skill.body, input, skill.command !== undefined)
      const files = skill.files.map((file) => join(skill.dir, file))
      return { text: note === undefined ? text : `${text.trimEnd()}\n\n${note}`, files }
    },
  }
}

/**
 * Loads the skills and commands of all sources. An invalid one, and a directory that cannot be read, become
 * diagnostics and are left out. Rejects if the built-in skills cannot be read or are invalid.
 */
export async function loadSkills(sources: SkillSources): Promise<SkillSet> {
  const skills = new Map<string, Skill>()
  const diagnostics: FileDiagnostic[] = []
  const put = (skill: Skill) => {
    const below = skills.get(skill.name)
    if (below) {
      const place = below.origin === 'builtin' ? 'the package' : below.dir
      const message = `replaces the skill of the same name in ${place}`
      diagnostics.push({ severity: 'warning', where: skill.dir, message })
    }
    skills.set(skill.name, skill)
  }
  const report = (diagnostic: FileDiagnostic) => diagnostics.push(diagnostic)
  for (const skill of sources.builtin ?? (await loadBuiltinSkills())) put(skill)
  const { commands = {} } = sources
  if (commands.user !== undefined) await readCommands(commands.user, 'user', put, report)
  if (sources.user !== undefined) await readFolder(sources.user, 'user', put, report)
  for (const dir of commands.workspace ?? []) await readCommands(dir, 'workspace', put, report)
  for (const dir of sources.workspace ?? []) await readFolder(dir, 'workspace', put, report)
  return { all: [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), diagnostics }
}

/**
 * Parses the built-in directory for the build, and throws UserError for any problem or warning. The field
 * `dir` contains only the name of each directory.
 */
export async function parseBuiltinSkills(dir: string): Promise<Skill[]> {
  const skills: Skill[] = []
  await readFolder(
    dir,
    'builtin',
    (skill) => skills.push({ ...skill, dir: skill.name }),
    ({ where, message }) => {
      throw new UserError(`${where}: ${message}`)
    },
  )
  return skills
}

/**
 * Returns the skills of the package, from the JSON list that the build has prepared or, without that list,
 * from their directories. Throws UserError if a skill in these directories is invalid.
 */
export async function loadBuiltinSkills(from?: string): Promise<Skill[]> {
  const { json, dir } = findBuiltin('skills', from)
  const skills =
    json === undefined ? await parseBuiltinSkills(dir) : (JSON.parse(readFileSync(json, 'utf8')) as Skill[])
  return skills.map((skill) => ({ ...skill, dir: join(dir, skill.dir) }))
}

async function readCommands(
  root: string,
  origin: SkillOrigin,
  put: (skill: Skill) => void,
  report: (diagnostic: FileDiagnostic) => void,
): Promise<void> {
  if (!existsSync(root)) return
  const reportDirectory = (dir: string, error: unknown) => report(diagnoseError(dir, error))
  for (const path of findCommandFiles(root, reportDirectory)) {
    try {
      const parsed = await parseCommand(root, path, origin)
      if (parsed) put(parsed)
    } catch (error) {
      report(diagnoseError(join(root, path), error))
    }
  }
}

async function readFolder(
  root: string,
  origin: SkillOrigin,
  put: (skill: Skill) => void,
  report: (diagnostic: FileDiagnostic) => void,
): Promise<void> {
  let names: string[] = []
  try {
    names = readdirSync(root).sort()
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') report(diagnoseError(root, error))
  }
  for (const name of names.filter((name) => !name.startsWith('.'))) {
    const dir = join(root, name)
    try {
      // Links to directories count too, because users often link shared skills.
      if (!statSync(dir).isDirectory()) continue
      const parsed = await parseSkill(dir, origin, basename(dirname(root)) === '.claude')
      if (!parsed) throw new UserError('this directory has no SKILL.md')
      put(parsed.skill)
      for (const warning of parsed.warnings) report(warning)
    } catch (error) {
      report(diagnoseError(dir, error))
    }
  }
}

const keys = ['name', 'description', 'mcp']
const maxDescription = 1024
const maxFiles = 100
const maxDepth = 4

interface ParsedSkill {
  skill: Skill
  warnings: FileDiagnostic[]
}

/**
 * Returns the skill in `dir` and warnings about it, or undefined if `dir` has no SKILL.md. Throws UserError
 * with the reasons if the skill is invalid. `isForeign`: another program names the skill by its directory, so
 * the name in the frontmatter is ignored.
 */
export async function parseSkill(
  dir: string,
  origin: SkillOrigin,
  isForeign = false,
): Promise<ParsedSkill | undefined> {
  const path = join(dir, 'SKILL.md')
  const text = readSmall(path)
  if (text === undefined) return undefined
  const { fields, body } = await readFrontmatter(text)
  const name = basename(dir)
  const problems = [
    ...listFaults(isForeign ? { ...fields, name } : fields, name),
    ...(body === '' ? ['the text below the frontmatter is missing'] : []),
  ]
  if (problems.length > 0) throw new UserError(problems.join('; '))
  const warnings = warningsOf(fields).map(
    (message): FileDiagnostic => ({ severity: 'warning', where: path, message }),
  )
  const description = String(fields.description).trim().replace(/\s+/g, ' ')
  const skill: Skill = {
    name,
    description: clipDescription(description),
    mcp: fields.mcp === undefined ? undefined : (fields.mcp as NonNullable<Skill['mcp']>),
    body,
    files: listBundledFiles(dir),
    origin,
    dir,
  }
  return { skill, warnings }
}

function listFaults(fields: Readonly<Record<string, unknown>>, folder: string): string[] {
  const problems: string[] = []
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(folder)) {
    problems.push(`${folder} is not a name for a skill: letters, digits, - and _, at most 64`)
  }
  if (typeof fields.name !== 'string' || fields.name === '') problems.push('name is missing')
  else if (fields.name !== folder)
    problems.push(`name is ${fields.name}, but the folder is ${folder}; make them equal`)
  if (typeof fields.description !== 'string' || fields.description.trim() === '') {
    problems.push('description is missing: one line on what the skill is for')
  }
  if (fields.mcp !== undefined && !isServers(fields.mcp)) {
    problems.push('mcp must map server names to objects with command or url')
  }
  return problems
}

function isServers(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.values(value).every(
    (server) => isObject(server) && (typeof server.command === 'string' || typeof server.url === 'string'),
  )
}

/**
 * Returns warnings about unknown keys that are probably typing errors, and about a description over 1,024
 * characters. Other unknown keys belong to other programs.
 */
function warningsOf(fields: Readonly<Record<string, unknown>>): string[] {
  const warnings: string[] = []
  for (const key of Object.keys(fields)) {
    const near = keys.includes(key) ? undefined : findNearest(key, keys, 1)[0]
    if (near !== undefined) warnings.push(`unknown key ${key}, did you mean ${near}?`)
  }
  if (String(fields.description).length > maxDescription) {
    warnings.push(`description has more than ${maxDescription} characters and was cut`)
  }
  return warnings
}

const clipDescription = (text: string) =>
  text.length > maxDescription ? `${text.slice(0, maxDescription - 1)}…` : text

/**
 * Lists the regular files in `dir` and three levels of directories below it, at most 100. SKILL.md,
 * `node_modules`, hidden files and links are left out.
 */
function listBundledFiles(dir: string, prefix = '', depth = 1, files: string[] = []): string[] {
  const entries = readdirSync(join(dir, prefix), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (files.length >= maxFiles) break
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || path === 'SKILL.md') continue
    if (entry.isFile()) files.push(path)
    else if (entry.isDirectory() && depth < maxDepth) listBundledFiles(dir, path, depth + 1, files)
  }
  return files
}
