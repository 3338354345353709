// The definition of a check: files, and parts of files such as a script in package.json, that its commands
// use. Each has a value that shows a change.
import { join, posix } from 'node:path'
import { fingerprint } from '../base/fingerprint.ts'
import { isSealedFile } from './check-files.ts'
import { identifyDirectory, programPaths } from './programs.ts'
import { readRegular } from './regular-file.ts'
import { identifyFile } from './tree-state.ts'

/** A directory with some or all files of a tree. `paths` contains all paths of the tree, relative to it. */
export interface FileTree {
  dir: string
  paths: readonly string[]
}

/** Keys of `package.json` that contain the configuration of a test runner. */
const runnerKeys = ['ava', 'jest', 'mocha', 'nyc', 'tap', 'vitest']

const packageManager = /(?:^|[\s;&|(])(?:npm|pnpm|yarn|bun)\s+(?:(?:-\S+|run|run-script)\s+)*([\w:.-]+)/g
const makeProgram = /(?:^|[\s;&|(])(make|gmake|just)\b/
const namedDirectory = /(?:\bcd|\s-C|\s--prefix|\s--cwd|\s--dir)[\s=]+([^\s;&|]+)/g

/** Splits a command into words, normalized like paths, because each may be the name of a file. */
const wordsOf = (command: string) =>
  command
    .split(/[\s'"`;|&<>()=]+/)
    .filter((word) => word !== '')
    .map((word) => posix.normalize(word))

/** What the commands of a check use. */
export interface CheckDefinition {
  /**
   * Names of all parts that may not change. A name is a path, a path with a slash at its end for a directory,
   * or a path and a part: `package.json scripts.test`.
   */
  parts: string[]
  /**
   * Paths in the workspace at which programs of the check would be found, except files of the tree. Most of
   * them do not exist.
   */
  programs: string[]
  /** Words of the commands, and of the scripts that these commands run. */
  words: ReadonlySet<string>
}

/**
 * Returns the definition of the commands. It follows scripts of package.json to the files and further scripts
 * that they name.
 */
export async function resolveDefinition(
  commands: readonly string[],
  tree: FileTree,
): Promise<CheckDefinition> {
  const treePaths = new Set(tree.paths)
  const parts = new Set(tree.paths.filter(isSealedFile))
  const pending = commands.map((command) => ({ command, dir: '' }))
  const packages = tree.paths.filter((path) => posix.basename(path) === 'package.json')
  const followed = new Set<string>()
  const words = new Set<string>()
  for (let next = pending.shift(); next; next = pending.shift()) {
    const { command, dir } = next
    if (followed.has(`${dir}\n${command}`)) continue
    followed.add(`${dir}\n${command}`)
    const dirs = [dir, ...[...command.matchAll(namedDirectory)].map((match) => match[1] ?? '')]
    for (const word of wordsOf(command)) words.add(word)
    for (const word of wordsOf(command))
      for (const at of dirs) if (treePaths.has(posix.join(at, word))) parts.add(posix.join(at, word))
    if (makeProgram.test(command))
      for (const path of tree.paths) if (/(?:^|\/)(?:\w*akefile|\.?justfile)$/.test(path)) parts.add(path)
    if (/pytest|\btox\b|\bnox\b/.test(command))
      for (const path of tree.paths)
        if (/(?:^|\/)pyproject\.toml$/.test(path)) parts.add(`${path} tool.pytest`)
    for (const path of packages)
      for (const script of scriptNames(command)) {
        for (const key of [`pre${script}`, script, `post${script}`]) {
          parts.add(`${path} scripts.${key}`)
          const body = await readPart(tree.dir, `${path} scripts.${key}`)
          const script = scriptOf(body)
          if (script !== undefined) pending.push({ command: script, dir: posix.dirname(path) })
        }
      }
  }
  for (const path of packages) for (const key of runnerKeys) parts.add(`${path} ${key}`)
  const programs = programPaths(
    [...words],
    packages.map((path) => posix.dirname(path)),
  )
  return { parts: [...parts].sort(), programs: programs.filter((path) => !treePaths.has(path)), words }
}

/** Returns the command of a script; undefined if the script is missing or is not a string in valid JSON. */
function scriptOf(value: string | undefined): string | undefined {
  const script: unknown = value?.startsWith('"') ? JSON.parse(value) : undefined
  return typeof script === 'string' ? script : undefined
}

/** Returns the words of a command after a package manager, which may be names of package.json scripts. */
function scriptNames(command: string): string[] {
  return [...command.matchAll(packageManager)].map(([, word = '']) => (word === 't' ? 'test' : word))
}

/**
 * Returns an identity of the current value of a part: `missing` for a missing file, undefined if a key
 * or the file with that key is missing. If the file with the key is not valid JSON, the identity covers
 * the whole file.
 */
export async function readPart(dir: string, part: string): Promise<string | undefined> {
  const [, path = part, key] = /^(.*(?:package\.json|pyproject\.toml)) (\S+)$/.exec(part) ?? []
  if (path.endsWith('/')) return identifyDirectory(join(dir, path))
  if (key === undefined) return identifyFile(join(dir, path))
  const bytes = await readRegular(join(dir, path))
  if (bytes === undefined) return undefined
  if (key === 'tool.pytest') return readPytestSections(bytes.toString('utf8'))
  try {
    let value = JSON.parse(bytes.toString('utf8'))
    const [first = '', ...rest] = key.split('.')
    for (const step of rest.length > 0 ? [first, rest.join('.')] : [first]) value = value?.[step]
    return value === undefined ? undefined : JSON.stringify(value)
  } catch {
    return `unreadable ${fingerprint(bytes)}`
  }
}

/** Returns all tables of a TOML text whose name starts with `tool.pytest`, or undefined if it has none. */
function readPytestSections(text: string): string | undefined {
  const sections = text
    .split(/^(?=\s*\[)/m)
    .filter((section) => /^\s*\[\[?\s*tool\s*\.\s*"?pytest/.test(section))
  return sections.length > 0 ? sections.join('') : undefined
}

/** Returns the path of the file that a part belongs to. */
export const pathOfPart = (part: string): string =>
  /^(.*(?:package\.json|pyproject\.toml)) \S+$/.exec(part)?.[1] ?? part
