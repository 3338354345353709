// Repositories and plans for builds: small modules, a codemod without a model, and tests that count.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildSummary } from '../../internal/build/summary.ts'
import { type World, world } from './anode.ts'
import { git } from './repo.ts'

/** Replaces a name in every file of a directory, and appends a line to a shared file. */
const codemod = `const fs = require('node:fs')
const [dir, line] = process.argv.slice(2)
for (const name of fs.readdirSync(dir)) {
  const path = dir + '/' + name
  fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replaceAll('oldName', 'newName'))
}
if (line) fs.appendFileSync('CHANGELOG.md', line + '\\n')
`
const check = `const { readdirSync } = require('node:fs')
for (const name of readdirSync(__dirname + '/../src')) {
  if (require('../src/' + name)(2) !== 4) throw new Error(name + ' does not double')
}
`
const moduleText = 'const oldName = (n) => n * 2\nmodule.exports = oldName\n'

/** Creates a workspace whose repository has these modules and a check that loads each of them. */
export function buildWorld(modules: readonly string[], files: Readonly<Record<string, string>> = {}): World {
  const w = world()
  putModules(w, modules, files)
  return w
}

/** Makes the directory of a world a repository with these modules and a check that loads each of them. */
export function putModules(
  w: Pick<World, 'dir' | 'put'>,
  modules: readonly string[],
  files: Readonly<Record<string, string>> = {},
): void {
  for (const name of modules) w.put(`src/${name}/index.js`, moduleText)
  w.put('codemod.js', codemod)
  w.put('test/all.test.js', check)
  w.put('CHANGELOG.md', '# Changes\n')
  w.put('.gitignore', 'node_modules/\n')
  for (const [path, text] of Object.entries(files)) w.put(path, text)
  git(w.dir, 'init', '-q', '-b', 'main')
  git(w.dir, 'config', 'user.name', 'Me')
  git(w.dir, 'config', 'user.email', 'me@example.org')
  git(w.dir, 'add', '-A')
  git(w.dir, 'commit', '-qm', 'first')
}

export interface PlannedTask {
  id: string
  [key: string]: unknown
}

/** Returns a task that renames in one module. `line` goes to the shared file. */
export const renameTask = (id: string, more: object = {}, line = ''): PlannedTask => ({
  ...{ id, run: `node codemod.js src/${id}${line === '' ? '' : ` '${line}'`}`, scope: [`src/${id}/**`] },
  ...more,
})

/** Returns the text of a plan whose check loads every module. */
export const planText = (tasks: readonly PlannedTask[], more: object = {}): string =>
  JSON.stringify({
    goal: 'Rename',
    until: ['node test/all.test.js'],
    shared: ['CHANGELOG.md'],
    tasks,
    ...more,
  })

/** Runs a build whose plan is not part of the repository. */
export async function runBuild(
  w: World,
  tasks: readonly PlannedTask[],
  words: readonly string[] = [],
  more = {},
) {
  w.put('../plan.json', planText(tasks, more))
  const done = await w.anode(['build', '--plan', '../plan.json', '--json', ...words])
  const build = done.out === '' ? undefined : (JSON.parse(done.out) as BuildSummary)
  return { ...done, build }
}

export async function readStatus(w: World, name = 'last'): Promise<BuildSummary> {
  return JSON.parse((await w.anode(['build', 'status', name, '--json'])).out)
}

/** Returns the content, mode and time of every file of the checkout, without what a build may add to `.git`. */
export function readCheckout(dir: string): Record<string, string> {
  const files: Record<string, string> = {}
  const isAdded = (path: string) =>
    /^\.git\/(?:objects|worktrees|(?:logs\/)?refs\/heads\/anode)(?:\/|$)/.test(path)
  const visit = (path: string) => {
    for (const entry of readdirSync(join(dir, path), { withFileTypes: true })) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`
      if (isAdded(below)) continue
      if (entry.isDirectory()) visit(below)
      else {
        const { mode, mtimeMs } = statSync(join(dir, below))
        files[below] = `${mode} ${mtimeMs} ${readFileSync(join(dir, below), 'latin1')}`
      }
    }
  }
  visit('')
  return files
}
