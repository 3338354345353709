// The programs of a check that are inside the workspace, in `node_modules/.bin`, virtual environments and
// `vendor`: their paths, their packages, and which of them were replaced.
import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join, posix, relative, sep } from 'node:path'
import { createSha256 } from '../base/fingerprint.ts'
import { objectOf, parseJson } from '../base/untrusted-json.ts'
import { identifyFile } from './tree-state.ts'

/** Directories that package managers and shells search for programs, relative to a package. */
const programDirectories = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'vendor/bin']

/** Programs that scripts start through `#!/usr/bin/env`, although the command does not name them. */
export const impliedNames = ['node', 'sh', 'bash', 'python', 'python3']

/**
 * Returns the paths at which programs of these names would be found before those of the system. Most of
 * them do not exist; a file that appears at one would replace a program of the check.
 */
export function programPaths(words: readonly string[], packageDirs: readonly string[]): string[] {
  const names = new Set([...impliedNames, ...words.map((word) => posix.basename(word))])
  const paths = [...new Set(['', ...packageDirs])].flatMap((dir) =>
    programDirectories.flatMap((bin) => [...names].map((name) => posix.join(dir, bin, name))),
  )
  return paths.sort()
}

/** Returns those paths at which something exists. */
export async function findPresent(paths: readonly string[], workspace: string): Promise<string[]> {
  const stats = paths.map((path) => lstat(join(workspace, path)).catch(() => undefined))
  const statResults = await Promise.all(stats)
  return paths.filter((_, i) => statResults[i] !== undefined)
}

/**
 * Returns the directories of the packages that these programs belong to, each with a slash at its end,
 * without packages of the workspace itself.
 */
export async function programPackages(paths: readonly string[], workspace: string): Promise<string[]> {
  const packageDirs = new Set<string>()
  for (const path of paths) {
    for (const file of await targetsOf(join(workspace, path))) {
      const dir = await packageOf(file)
      // A package of the workspace itself is left out, because the task may change it.
      if (dir?.split(sep).includes('node_modules'))
        packageDirs.add(`${relative(workspace, dir).split(sep).join('/')}/`)
    }
  }
  return [...packageDirs].sort()
}

/**
 * Returns one identity of all files in a directory, without packages nested in it and without `__pycache__`.
 * A missing directory counts as empty.
 */
export async function identifyDirectory(dir: string): Promise<string> {
  const hash = createSha256()
  const pending = ['']
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const entries = await readdir(join(dir, at), { withFileTypes: true }).catch(() => [])
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = posix.join(at, entry.name)
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && entry.name !== '__pycache__') pending.push(path)
      } else hash.update(`${path}\0${await identifyFile(join(dir, path))}\0`)
    }
  }
  return hash.digest('hex')
}

/**
 * Matches each line of the small program that package managers write in place of a link where links
 * are not possible.
 */
const shimLine =
  /^(?:#!\/bin\/sh|basedir=.*|case .*|\s*\*.*|esac|if .*|\s*exec\s.*|else|fi|\s*export NODE_PATH=.*|)$/

/**
 * Returns the programs in `node_modules/.bin` that no package manager has installed, because they do not lead
 * to the file that their package declares. So a replaced program is found without knowing its earlier state.
 * `workspace` is the current tree.
 */
export async function findReplacedPrograms(paths: readonly string[], workspace: string): Promise<string[]> {
  const replaced: string[] = []
  for (const path of paths) {
    const file = join(workspace, path)
    if (!path.includes('node_modules/.bin/') || !(await lstat(file).catch(() => undefined))) continue
    if (!(await isDeclared(file))) replaced.push(path)
  }
  return replaced
}

async function isDeclared(file: string): Promise<boolean> {
  const name = posix.basename(file)
  for (const target of await targetsOf(file)) {
    const dir = await packageOf(target)
    if (dir === undefined) continue
    const { bin, name: packageName = '' } = await readPackage(dir)
    const declared = typeof bin === 'string' ? { [posix.basename(packageName)]: bin } : (bin ?? {})
    const binPath = declared[name]
    if (binPath !== undefined && (await realpath(join(dir, binPath)).catch(() => '')) === target) return true
  }
  return false
}

/**
 * Returns the real files that a program starts: the target of a link, or of a small program in place of a
 * link; an empty list for any other file.
 */
async function targetsOf(file: string): Promise<string[]> {
  const stat = await lstat(file).catch(() => undefined)
  if (stat?.isSymbolicLink())
    return realpath(file)
      .then((path) => [path])
      .catch(() => [])
  if (!stat?.isFile() || stat.size > 10_000) return []
  const text = await readFile(file, 'utf8')
  if (!text.startsWith('#!/bin/sh\nbasedir=') || !text.split('\n').every((line) => shimLine.test(line)))
    return []
  const targets = [...text.matchAll(/"\$basedir\/([^"]+)" "\$@"/g)].map(([, path = '']) => path)
  const real = await Promise.all(
    targets.map((path) => realpath(join(dirname(file), path)).catch(() => undefined)),
  )
  return real.filter((path) => path !== undefined)
}

/** Returns the directory of the package that contains a file; undefined if the file belongs to no package. */
async function packageOf(file: string): Promise<string | undefined> {
  for (let dir = dirname(file); dir !== dirname(dir); dir = dirname(dir)) {
    if (posix.basename(dir) === 'node_modules') return undefined
    // A package.json without a name belongs to no package; it only sets the module type of files below it.
    if ((await readPackage(dir)).name !== undefined) return dir
  }
  return undefined
}

interface PackageFile {
  dependencies?: object
  devDependencies?: object
  optionalDependencies?: object
  peerDependencies?: object
  scripts?: Readonly<Record<string, unknown>>
  name?: string
  bin?: string | Readonly<Record<string, string>>
}

/** Returns the fields of a package.json that have the expected form; empty if it cannot be read as JSON. */
export async function readPackage(dir: string): Promise<PackageFile> {
  const text = await readFile(join(dir, 'package.json'), 'utf8').catch(() => '')
  const file = objectOf(parseJson(text)) ?? {}
  const { name, bin } = file
  const programs = objectOf(bin)
  return {
    dependencies: objectOf(file.dependencies),
    devDependencies: objectOf(file.devDependencies),
    optionalDependencies: objectOf(file.optionalDependencies),
    peerDependencies: objectOf(file.peerDependencies),
    scripts: objectOf(file.scripts),
    name: typeof name === 'string' ? name : undefined,
    bin: typeof bin === 'string' ? bin : programs && keepStrings(programs),
  }
}

const keepStrings = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).filter((one): one is [string, string] => typeof one[1] === 'string'),
  )
