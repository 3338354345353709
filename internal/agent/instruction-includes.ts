// Files that instructions include with `@path`, and the rules for what may reach the prompt that way.
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, resolve as resolvePath } from 'node:path'
import { messageOf } from '../base/errors.ts'
import { readSmall } from '../base/files/open-file.ts'
import { writeOutHidden } from '../base/text/hidden-chars.ts'
import { resolveFacts } from '../policy/call-facts.ts'
import { decide } from '../policy/decide.ts'
import type { Policy } from '../policy/policy.ts'
import { runHardenedGit } from '../process/git/git.ts'
import type { RunCommand } from '../process/process-command.ts'

const maxInclude = 8 * 1024

export interface InstructionSource {
  /** Working directory, a real path. */
  cwd: string
  /** Decides which files may be included: those that the tool `read` would open without approval. */
  policy: Policy
  /**
   * Runs git, which knows the ignored files of an untrusted workspace. Default: no file counts as ignored.
   */
  run?: RunCommand | undefined
  signal?: AbortSignal | undefined
}

/**
 * Returns the text with the files that it names as `@path` outside of code, relative to `dir`; included files
 * include no others. A line that is only `@path` is replaced by the file; a path within a sentence stays, and
 * the file follows the line. Each file is cut to 8 KiB. A file that may not be included leaves the text
 * unchanged and adds a note, except a path within a sentence that names no regular file.
 */
export async function includeFiles(
  text: string,
  dir: string,
  source: InstructionSource,
  notes: string[],
): Promise<string> {
  const lines: string[] = []
  const mentioned = new Set<string>()
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
    const [, ticks = '', rest = ''] = mark ?? []
    if (fence === undefined) fence = mark && !(ticks[0] === '`' && rest.includes('`')) ? ticks : undefined
    else if (ticks.startsWith(fence) && rest.trim() === '') fence = undefined
    const alone = fence === undefined ? /^@(\S+)[ \t]*\r?$/.exec(line)?.[1] : undefined
    if (alone !== undefined) noteInstruction(resolvePath(dir, alone), source.policy)
    lines.push(alone === undefined ? line : ((await readInclude(alone, dir, source, notes)) ?? line))
    if (alone !== undefined || fence !== undefined || mark) continue
    for (const path of pathsInSentence(line)) {
      noteInstruction(resolvePath(dir, path), source.policy)
      if (mentioned.has(path) || !isRegularFile(resolvePath(dir, path))) continue
      mentioned.add(path)
      const body = await readInclude(path, dir, source, notes)
      if (body !== undefined) lines.push('', `## ${path}`, '', body, '')
    }
  }
  return lines.join('\n')
}

/**
 * Returns the paths of the words in a line that have the form `@path`, without the `@` and except in code
 * spans. Names of packages and of people look the same, so callers check whether a file exists.
 */
function pathsInSentence(line: string): string[] {
  const prose = line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, ' ')
  const matches = [...prose.matchAll(/(?<![^\s([{"'*_,;:])@([^\s`<>"'()[\]{}*|]+)/g)]
  return matches.map(([, path = '']) => path.replace(/[.,;:!?]+$/, '')).filter((path) => path !== '')
}

/**
 * Largest number of remembered instruction paths; further paths are not added. The real path of the last one
 * may exceed the number by one.
 */
const maxNoted = 1000

/**
 * Adds a path and its real path to the instruction files, unless `maxNoted` are remembered, so that writing
 * it needs the same approval as `AGENTS.md`. A file that does not exist yet is added too, because it would be
 * read once it exists.
 */
export function noteInstruction(path: string, { roots }: Policy): void {
  if (!roots.instructions || roots.instructions.size >= maxNoted) return
  roots.instructions.add(path)
  try {
    roots.instructions.add(realpathSync.native(path))
  } catch {
    // the file does not exist yet
  }
}

/**
 * Returns the text of one included file, cut to `maxInclude` with a note. If it may not be included, returns
 * undefined and adds a note.
 */
async function readInclude(
  includePath: string,
  dir: string,
  source: InstructionSource,
  notes: string[],
): Promise<string | undefined> {
  const path = resolvePath(dir, includePath)
  const why = await includeRefusal(path, source)
  if (why !== undefined) {
    notes.push(`@${includePath} is not included: ${why}`)
    return undefined
  }
  const body = readInstructionText(path, notes)
  const shortBody = truncateToBytes(body, maxInclude)
  if (shortBody !== body) notes.push(`@${includePath} is cut to ${maxInclude / 1024} KiB`)
  return shortBody.trimEnd()
}

/**
 * Returns why a file must not reach the prompt; undefined if it may. No user is asked: a file is
 * refused if it is not a regular file, if the tool `read` would need approval for it, or if git ignores
 * it in an untrusted workspace.
 */
export async function includeRefusal(
  path: string,
  { policy, run, signal }: InstructionSource,
): Promise<string | undefined> {
  if (!isRegularFile(path)) return 'it is not a regular file'
  const scope = [{ kind: 'path', path, access: 'read' }] as const
  const call = { tool: 'read', level: 'auto_read', args: { path }, scope } as const
  const { action, code } = decide(await resolveFacts(call, policy, policy.roots.workspace), policy)
  if (action !== 'allow') {
    return code === 'outside_workspace'
      ? 'it is not a file inside the workspace'
      : 'reading it needs approval'
  }
  if (policy.trusted || !run) return undefined
  const args = ['check-ignore', '-q', '--', path]
  const { exit } = await runHardenedGit(run, dirname(path), args, signal && { signal })
  return exit === 0 ? 'git ignores it, and this workspace is not trusted' : undefined
}

/** Returns whether a path is a file; a link to a file counts, because the policy judges where it leads. */
function isRegularFile(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink() ? statSync(path).isFile() : lstatSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * Returns the text of a file with its hidden characters written out, and adds a note with their number if
 * there are any. Empty if the file is missing, and empty with a note if it cannot be read, is not text or is
 * far too large.
 */
export function readInstructionText(path: string, notes: string[]): string {
  try {
    const { text, count } = writeOutHidden(readSmall(path) ?? '')
    if (count > 0) notes.push(`hidden characters in ${basename(path)} (${path}) are written out: ${count}`)
    return text
  } catch (error) {
    notes.push(`not read: ${messageOf(error)}`)
    return ''
  }
}

/** Returns at most the first `bytes` bytes of a text, without half a character at the end. */
export function truncateToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
}
