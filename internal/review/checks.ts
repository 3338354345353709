// Checks of a workspace (`.agents/checks/*.md`), and the changed files that each covers.
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { codeOf, FailureError, messageOf, UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/open-file.ts'
import { readFrontmatter } from '../base/text/frontmatter.ts'
import { judgePath, resolvePath } from '../policy/paths/path-jail.ts'
import type { PathRoots } from '../policy/policy.ts'
import { globFault, matchWildcard, pathFits } from '../policy/rules/rule-match.ts'
import { severities } from './findings.ts'

export interface ReviewCheck {
  name: string
  description: string
  /** Severity of a finding of this check for which the subagent names no severity. */
  severity: (typeof severities)[number]
  /** Globs relative to `scope`, of the files that the check covers; empty: all files. */
  paths: readonly string[]
  /** Names and globs of the tools that the check may use; undefined: all tools of the reviewer. */
  tools: readonly string[] | undefined
  body: string
  /** Path of the check file, relative to the workspace. */
  path: string
  /** Directory that the check covers, relative to the workspace; '' is the whole workspace. */
  scope: string
}

/**
 * A check and the changed files that it covers. An empty list means every file in its `scope` that its
 * `paths` include, also unchanged ones.
 */
export interface AssignedCheck {
  check: ReviewCheck
  files: string[]
}

const folder = join('.agents', 'checks')
const maxBytes = 32 * 1024
const list = z.union([
  z.array(z.string()),
  z.pipe(
    z.string(),
    z.transform((text) => text.split(/[,\s]+/).filter(Boolean)),
  ),
])
const severity = z.pipe(
  z.transform((value) => (typeof value === 'string' ? value.toLowerCase() : value)),
  z.enum(severities),
)
/**
 * Schema of the fields at the top of a check file. `severity` and `path` are other names of
 * `severity-default` and `paths`.
 */
const head = z.strictObject({
  name: z.optional(z.string().check(z.minLength(1))),
  description: z.optional(z.string()),
  'severity-default': z.optional(severity),
  severity: z.optional(severity),
  paths: z.optional(list),
  path: z.optional(list),
  tools: z.optional(list),
})

/**
 * Finds the checks whose name matches one of `only`, if given. `broken` describes check files that cannot be
 * read. With `changes`, a check gets the files that its `paths` include, and is left out if it gets none. If
 * several directories above a file have a check of the same name, only the nearest one counts. With `all`,
 * the result is every check in the directories above `files` and in the root, with an empty list of files.
 */
export async function findChecks(
  roots: PathRoots,
  files: readonly string[],
  reach: 'changes' | 'all',
  only?: readonly string[],
): Promise<{ assigned: AssignedCheck[]; broken: string[] }> {
  const broken: string[] = []
  const scopes = new Map<string, ReviewCheck[]>()
  for (const scope of new Set(['', ...files.flatMap(parentFolders)])) {
    scopes.set(scope, await readFolder(roots, scope, broken))
  }
  const all = [...scopes.values()].flat()
  const isWanted = ({ name }: ReviewCheck) =>
    only === undefined || only.some((glob) => matchWildcard(glob, name))
  if (reach === 'all')
    return { assigned: all.filter(isWanted).map((check) => ({ check, files: [] })), broken }

  const assigned = new Map<ReviewCheck, string[]>()
  for (const file of files) {
    const near = new Map<string, ReviewCheck>()
    for (const scope of parentFolders(file)) {
      for (const check of scopes.get(scope) ?? []) if (!near.has(check.name)) near.set(check.name, check)
    }
    for (const check of near.values()) {
      if (!isWanted(check) || !coversFile(check, file)) continue
      assigned.set(check, [...(assigned.get(check) ?? []), file])
    }
  }
  const order = all.filter((check) => assigned.has(check))
  return { assigned: order.map((check) => ({ check, files: assigned.get(check) as string[] })), broken }
}

/** Returns whether the root or a directory above these files contains a check file, without reading one. */
export function hasChecks(roots: PathRoots, files: readonly string[]): boolean {
  return [...new Set(['', ...files.flatMap(parentFolders)])].some(
    (scope) => listFileNames(roots, scope).length > 0,
  )
}

/** Returns the directories from that of the file up to the workspace, which is ''. */
function parentFolders(file: string): string[] {
  const parents: string[] = []
  for (let dir = dirname(file); dir !== '.' && dir !== '/'; dir = dirname(dir)) parents.push(dir)
  return [...parents, '']
}

/**
 * Returns true if the check covers a file below its scope. A pattern without a slash matches file names at
 * any depth, as in .gitignore. Without patterns, the check covers every file.
 */
function coversFile({ paths, scope }: ReviewCheck, file: string): boolean {
  const below = scope === '' ? file : file.slice(scope.length + 1)
  if (paths.length === 0) return true
  return paths.some((glob) => pathFits(glob, glob.includes('/') ? below : basename(below), false))
}

function listFileNames(roots: PathRoots, scope: string): string[] {
  try {
    return readdirSync(join(roots.workspace, scope, folder))
      .filter((name) => name.endsWith('.md'))
      .sort()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(codeOf(error) ?? '')) return []
    throw error
  }
}

async function readFolder(roots: PathRoots, scope: string, broken: string[]): Promise<ReviewCheck[]> {
  const checks: ReviewCheck[] = []
  for (const name of listFileNames(roots, scope)) {
    const path = join(scope, folder, name)
    try {
      checks.push(await readCheck(roots, scope, path))
    } catch (error) {
      if (!(error instanceof UserError) && !(error instanceof FailureError)) throw error
      broken.push(`the check ${path} was left out: ${messageOf(error)}`)
    }
  }
  return checks
}

async function readCheck(roots: PathRoots, scope: string, path: string): Promise<ReviewCheck> {
  const place = resolvePath(roots.workspace, roots, path)
  const { action, text: why } = judgePath(place, 'read', roots)
  if (action !== 'allow') throw new UserError(why)
  const { fields, body } = await readFrontmatter(readSmall(place.real, maxBytes) ?? '')
  const parsed = z.safeParse(head, fields)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const what =
      issue?.code === 'unrecognized_keys' ? `unknown key ${issue.keys.join(', ')}` : issue?.path.join('.')
    throw new UserError(`its frontmatter does not hold: ${what}`, {
      hint: 'keys are name, description, severity-default, paths, tools',
    })
  }
  if (body === '') throw new UserError('it has no text below the frontmatter')
  const { name = basename(path, '.md'), description = '', tools } = parsed.data
  const { severity: named, 'severity-default': usual, path: one, paths: several } = parsed.data
  if ((named && usual) || (one && several)) {
    const twice = named && usual ? 'severity and severity-default' : 'path and paths'
    throw new UserError(`its frontmatter gives the same twice: ${twice}`, { hint: 'keep one of them' })
  }
  const paths = several ?? one ?? []
  const unreadable = paths.map(globFault).find(Boolean)
  if (unreadable) throw new UserError(`its paths: ${unreadable}`)
  return { name, description, severity: usual ?? named ?? 'medium', paths, tools, body, path, scope }
}
