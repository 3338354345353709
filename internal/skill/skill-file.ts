// Reads one skill folder: SKILL.md and the list of files beside it.
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FileDiagnostic } from '../base/diagnostic.ts'
import { UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/small-file.ts'
import { readFrontmatter } from '../base/text/frontmatter.ts'
import { findNearest } from '../base/text/name-suggestion.ts'
import { isObject } from '../base/untrusted-json.ts'
import type { Skill, SkillOrigin } from './skill.ts'

const keys = ['name', 'description', 'mcp']
const maxDescription = 1024
const maxFiles = 100
const maxDepth = 4

interface ParsedSkill {
  skill: Skill
  warnings: FileDiagnostic[]
}

/**
 * Returns the skill in `dir`; undefined when there is no SKILL.md. Throws UserError that says why it cannot
 * be used. `isForeign`: written for a program that calls a skill by its directory; its name is not compared.
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
    ...faults(isForeign ? { ...fields, name } : fields, name),
    ...(body === '' ? ['there is no text below the frontmatter'] : []),
  ]
  if (problems.length > 0) throw new UserError(problems.join('; '))
  const warnings = warningsOf(fields).map(
    (message): FileDiagnostic => ({ severity: 'warning', where: path, message }),
  )
  const description = String(fields.description).trim().replace(/\s+/g, ' ')
  const skill: Skill = {
    name,
    description: clip(description),
    mcp: fields.mcp === undefined ? undefined : (fields.mcp as NonNullable<Skill['mcp']>),
    body,
    files: bundled(dir),
    origin,
    dir,
  }
  return { skill, warnings }
}

function faults(fields: Readonly<Record<string, unknown>>, folder: string): string[] {
  const found: string[] = []
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(folder)) {
    found.push(`${folder} is not a name for a skill: letters, digits, - and _, at most 64`)
  }
  if (typeof fields.name !== 'string' || fields.name === '') found.push('name is missing')
  else if (fields.name !== folder)
    found.push(`name is ${fields.name}, but the folder is ${folder}; make them equal`)
  if (typeof fields.description !== 'string' || fields.description.trim() === '') {
    found.push('description is missing: one line on what the skill is for')
  }
  if (fields.mcp !== undefined && !isServers(fields.mcp)) {
    found.push('mcp must map server names to objects with command or url')
  }
  return found
}

function isServers(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.values(value).every(
    (server) => isObject(server) && (typeof server.command === 'string' || typeof server.url === 'string'),
  )
}

/** Skills are shared between programs, so an unknown key is fine unless it looks like a mistyped one. */
function warningsOf(fields: Readonly<Record<string, unknown>>): string[] {
  const found: string[] = []
  for (const key of Object.keys(fields)) {
    const near = keys.includes(key) ? undefined : findNearest(key, keys, 1)[0]
    if (near !== undefined) found.push(`unknown key ${key}, did you mean ${near}?`)
  }
  if (String(fields.description).length > maxDescription) {
    found.push(`description has more than ${maxDescription} characters and was cut`)
  }
  return found
}

const clip = (text: string) => (text.length > maxDescription ? `${text.slice(0, maxDescription - 1)}…` : text)

/** Regular files below `dir` without SKILL.md, hidden ones and links; the first 100, four folders deep. */
function bundled(dir: string, prefix = '', depth = 1, found: string[] = []): string[] {
  const entries = readdirSync(join(dir, prefix), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.length >= maxFiles) break
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || path === 'SKILL.md') continue
    if (entry.isFile()) found.push(path)
    else if (entry.isDirectory() && depth < maxDepth) bundled(dir, path, depth + 1, found)
  }
  return found
}
