// Collects skills from the package, the user and a trusted workspace; the later one of a name wins.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { findBuiltin } from '../base/builtin.ts'
import { diagnoseError, type FileDiagnostic } from '../base/diagnostic.ts'
import { codeOf, UserError } from '../base/errors.ts'
import type { Skill, SkillOrigin } from './skill.ts'

/** Where to look. Leave a place out to skip it: `workspace` is given only when the workspace is trusted. */
export interface SkillSources {
  /** `~/.config/anode/skills` */
  user?: string
  /** `<root>/.claude/skills`, `<root>/.agents/skills` and `<root>/.anode/skills`, in this order. */
  workspace?: readonly string[]
  /** Directories of command files; a skill of the same origin wins over a command. */
  commands?: { user?: string; workspace?: readonly string[] }
  /** Replaces the skills of the package, for tests. */
  builtin?: readonly Skill[]
}

export interface SkillSet {
  /** The winning ones, in the order of their names. */
  readonly all: readonly Skill[]
  readonly diagnostics: readonly FileDiagnostic[]
}

/** Loads every skill. Bad folders become diagnostics, never exceptions. */
export async function loadSkills(sources: SkillSources): Promise<SkillSet> {
  const found = new Map<string, Skill>()
  const diagnostics: FileDiagnostic[] = []
  const put = (skill: Skill) => {
    const below = found.get(skill.name)
    if (below) {
      const place = below.origin === 'builtin' ? 'the package' : below.dir
      const message = `replaces the skill of the same name in ${place}`
      diagnostics.push({ severity: 'warning', where: skill.dir, message })
    }
    found.set(skill.name, skill)
  }
  const report = (diagnostic: FileDiagnostic) => diagnostics.push(diagnostic)
  for (const skill of sources.builtin ?? (await loadBuiltinSkills())) put(skill)
  const { commands = {} } = sources
  if (commands.user !== undefined) await readCommands(commands.user, 'user', put, report)
  if (sources.user !== undefined) await readFolder(sources.user, 'user', put, report)
  for (const dir of commands.workspace ?? []) await readCommands(dir, 'workspace', put, report)
  for (const dir of sources.workspace ?? []) await readFolder(dir, 'workspace', put, report)
  return { all: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), diagnostics }
}

/** Parses the built-in folder for the build: the first problem is an error. `dir` becomes the name alone. */
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

/** The skills of the package, as the build made them if it did; their files lie in the package root. */
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
  const { findCommandFiles, parseCommand } = await import('./command-file.ts')
  for (const path of findCommandFiles(root)) {
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
      // also through links: skills that several programs share are often linked into place
      if (!statSync(dir).isDirectory()) continue
      const { parseSkill } = await import('./skill-file.ts')
      const parsed = await parseSkill(dir, origin, basename(dirname(root)) === '.claude')
      if (!parsed) throw new UserError('there is no SKILL.md in this folder')
      put(parsed.skill)
      for (const warning of parsed.warnings) report(warning)
    } catch (error) {
      report(diagnoseError(dir, error))
    }
  }
}
