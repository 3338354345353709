// The instructions a repository gives its agents: AGENTS.md and its like, from the root down to the working
// directory.
import { lstatSync, readdirSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve as resolvePath, sep } from 'node:path'
import { codeOf, messageOf } from '../base/errors.ts'
import { readSmall } from '../base/files/small-file.ts'
import { resolveFacts } from '../policy/call-facts.ts'
import { decide } from '../policy/decide.ts'
import { isWithin } from '../policy/paths/path-jail.ts'
import type { Policy } from '../policy/policy.ts'
import { runHardenedGit } from '../process/git/git.ts'
import { findGitLayout } from '../process/git/git-layout.ts'
import type { RunCommand } from '../process/process-command.ts'

/** In each directory the first of these counts. */
const names = ['AGENTS.md', 'AGENT.md', 'CLAUDE.md']
/** Directories that tools generate; what lies in them was not written for an agent. */
const generated = new Set(['node_modules', 'dist', 'build', 'vendor', 'target', '.git', '__pycache__'])

const maxFiles = 8
const maxBytes = 32 * 1024
const maxInclude = 8 * 1024

interface Instructions {
  /** Each file under a heading with its path, outermost first; empty when there are none. */
  text: string
  files: string[]
  /** What was left out or cut, for the person. */
  notes: string[]
}

export interface InstructionSource {
  /** Working directory, a real path. */
  cwd: string
  /** Decides which files may be included: those that the tool `read` would open there unasked. */
  policy: Policy
  /** Asks git what a workspace that nobody has trusted ignores; absent: nothing is known to be ignored. */
  run?: RunCommand | undefined
  signal?: AbortSignal | undefined
}

/**
 * Reads at most 8 files and 32 KiB: from the top of the repository, which may lie above the workspace, down
 * to the working directory. Symlinks are not followed.
 */
export async function readInstructions(source: InstructionSource): Promise<Instructions> {
  const { cwd, policy } = source
  const { workspace } = policy.roots
  const top = findRepositoryRoot(workspace)
  const files: string[] = []
  const notes: string[] = []
  const parts: string[] = []
  let left = maxBytes
  for (const dir of chain(top, cwd)) {
    const name = choose(dir)
    if (name === undefined) continue
    const path = join(dir, name)
    const shown = relative(workspace, path)
    if (files.length === maxFiles || left <= 0) {
      notes.push(
        `${shown} is left out: at most ${maxFiles} files and ${maxBytes / 1024} KiB of instructions are read`,
      )
      continue
    }
    // a file above the workspace speaks for the repository, one inside of it for the workspace alone
    const root = isWithin(dir, workspace) ? workspace : top
    const body = await include(
      readText(path, notes),
      dir,
      { ...source, policy: rootedAt(policy, root) },
      notes,
    )
    const cut = truncate(body, left)
    if (cut !== body) notes.push(`${shown} is cut to ${left} bytes`)
    left -= Buffer.byteLength(cut)
    files.push(shown)
    parts.push(`# ${shown}\n\n${cut.trim()}`)
  }
  return { text: parts.join('\n\n'), files, notes }
}

const rootedAt = (policy: Policy, workspace: string): Policy => ({
  ...policy,
  roots: { ...policy.roots, workspace },
})

/** The top of the repository around the workspace, unless another user of this machine has put it there. */
function findRepositoryRoot(workspace: string): string {
  try {
    const top = findGitLayout(workspace)?.top ?? workspace
    const { uid } = lstatSync(join(top, '.git'))
    return uid === process.getuid?.() || uid === 0 ? top : workspace
  } catch {
    // no repository, or one that cannot be looked at: then nothing above speaks for it
    return workspace
  }
}

/** Directories from the root down to `cwd`, generated ones left out with all below them. */
function chain(root: string, cwd: string): string[] {
  const below = relative(root, cwd)
  if (below.startsWith('..') || isAbsolute(below)) return [cwd]
  const dirs = [root]
  for (const part of below === '' ? [] : below.split(sep)) {
    if (generated.has(part)) break
    dirs.push(join(dirs.at(-1) as string, part))
  }
  return dirs
}

function choose(dir: string): string | undefined {
  try {
    const there = new Set(readdirSync(dir))
    return names.find((name) => there.has(name) && lstatSync(join(dir, name)).isFile())
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    // a folder that may be entered and not listed says nothing
    return undefined
  }
}

/** `@path` on a line of its own, outside of code fences, is replaced by the file, once, not in turn. */
async function include(
  text: string,
  dir: string,
  source: InstructionSource,
  notes: string[],
): Promise<string> {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
    const [, ticks = '', rest = ''] = mark ?? []
    if (fence === undefined) fence = mark && !(ticks[0] === '`' && rest.includes('`')) ? ticks : undefined
    else if (ticks.startsWith(fence) && rest.trim() === '') fence = undefined
    const includePath = fence === undefined ? /^@(\S+)[ \t]*$/.exec(line)?.[1] : undefined
    lines.push(includePath === undefined ? line : ((await included(includePath, dir, source, notes)) ?? line))
  }
  return lines.join('\n')
}

/** The text of one include, or undefined with a note. */
async function included(
  includePath: string,
  dir: string,
  source: InstructionSource,
  notes: string[],
): Promise<string | undefined> {
  const path = resolvePath(dir, includePath)
  const why = await refusal(path, source)
  if (why !== undefined) {
    notes.push(`@${includePath} is not included: ${why}`)
    return undefined
  }
  const body = readText(path, notes)
  const cut = truncate(body, maxInclude)
  if (cut !== body) notes.push(`@${includePath} is cut to ${maxInclude / 1024} KiB`)
  return cut.trimEnd()
}

/** Why a file may not be included, or undefined. Nothing is asked: what `read` would ask about stays out. */
async function refusal(
  path: string,
  { policy, run, signal }: InstructionSource,
): Promise<string | undefined> {
  if (!isRegular(path)) return 'it is no regular file'
  const scope = [{ kind: 'path', path, access: 'read' }] as const
  const call = { tool: 'read', level: 'auto_read', args: { path }, scope } as const
  const { action, code } = decide(await resolveFacts(call, policy, policy.roots.workspace), policy)
  if (action !== 'allow') {
    return code === 'outside_workspace'
      ? 'it is not a file inside the workspace'
      : 'it may not be read unasked'
  }
  if (policy.trusted || !run) return undefined
  const args = ['check-ignore', '-q', '--', path]
  const { exit } = await runHardenedGit(run, dirname(path), args, signal && { signal })
  return exit === 0 ? 'git ignores it, and nobody has trusted this workspace' : undefined
}

function isRegular(path: string): boolean {
  try {
    return lstatSync(path).isFile()
  } catch {
    return false
  }
}

/** Empty, with a note, for what is no text or far too large. */
function readText(path: string, notes: string[]): string {
  try {
    return readSmall(path) ?? ''
  } catch (error) {
    notes.push(`not read: ${messageOf(error)}`)
    return ''
  }
}

function truncate(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
}
