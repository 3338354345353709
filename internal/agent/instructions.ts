// The instructions a repository gives its agents: AGENTS.md and its like, from the root down to the working directory.
import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { messageOf } from '../base/errors.ts'
import { readSmall } from '../base/small-file.ts'

/** In each directory the first of these counts. */
const names = ['AGENTS.md', 'AGENT.md', 'CLAUDE.md']
/** Directories that tools generate; what lies in them was not written for an agent. */
const generated = new Set(['node_modules', 'dist', 'build', 'vendor', 'target', '.git', '__pycache__'])

const maxFiles = 8
const maxBytes = 32 * 1024
const maxInclude = 8 * 1024

export interface Instructions {
  /** Each file under a heading with its path, outermost first; empty when there are none. */
  text: string
  files: string[]
  /** What was left out or cut, for the person. */
  notes: string[]
}

/** Reads at most 8 files and 32 KiB. `root` and `cwd` are real paths; symlinks are not followed. */
export function readInstructions(root: string, cwd: string): Instructions {
  const files: string[] = []
  const notes: string[] = []
  const parts: string[] = []
  let left = maxBytes
  for (const dir of chain(root, cwd)) {
    const name = choose(dir)
    if (name === undefined) continue
    const path = join(dir, name)
    const shown = relative(root, path)
    if (files.length === maxFiles || left <= 0) {
      notes.push(
        `${shown} is left out: at most ${maxFiles} files and ${maxBytes / 1024} KiB of instructions are read`,
      )
      continue
    }
    const body = include(readText(path, notes), dir, root, notes)
    const cut = truncate(body, left)
    if (cut !== body) notes.push(`${shown} is cut to ${left} bytes`)
    left -= Buffer.byteLength(cut)
    files.push(shown)
    parts.push(`# ${shown}\n\n${cut.trim()}`)
  }
  return { text: parts.join('\n\n'), files, notes }
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
  const there = new Set(readdirSync(dir))
  return names.find((name) => there.has(name) && lstatSync(join(dir, name)).isFile())
}

/** `@path` on a line of its own is replaced by the file, once, not in turn. */
function include(text: string, dir: string, root: string, notes: string[]): string {
  return text.replace(/^@(\S+)[ \t]*$/gm, (line, given: string) => {
    const path = resolve(dir, given)
    const real = inside(path, root)
    if (real === undefined) {
      notes.push(`${line.trim()} is not included: it is not a file inside the workspace`)
      return line
    }
    const body = readText(real, notes)
    const cut = truncate(body, maxInclude)
    if (cut !== body) notes.push(`${line.trim()} is cut to ${maxInclude / 1024} KiB`)
    return cut.trimEnd()
  })
}

function inside(path: string, root: string): string | undefined {
  try {
    const real = realpathSync(path)
    return lstatSync(real).isFile() && !lstatSync(path).isSymbolicLink() && dirname(real).startsWith(root)
      ? real
      : undefined
  } catch {
    return undefined
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
