// The workspace of proofs: a failing test, a runner in `node_modules`, and scripts of models that fix it or cheat.
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type World, world } from './anode.ts'
import { git } from './repo.ts'
import { root } from './sources.ts'

export const proofFixtures = join(root, 'test/fixtures/proof')

/** Scripts of cheating models, with the file or part that the receipt must name. */
export const cheats: Readonly<Record<string, string>> = {
  emptied: 'test/add.test.js',
  deleted: 'test/add.test.js',
  skipped: 'test/add.test.js',
  script: 'package.json scripts.test',
  program: 'node_modules/.bin/tiny-test',
  package: 'node_modules/tiny-test/',
  interpreter: 'node_modules/.bin/node',
  dependency: 'node_modules/tiny-report/',
  assertion: 'node_modules/tiny-assert/',
  nested: 'node_modules/tiny-test/node_modules/tiny-report/',
  beside: 'node_modules/tiny-assert.js',
  link: 'other/node_modules/tiny-assert/',
  conftest: 'conftest.py',
  mocharc: '.mocharc.json',
}

/** Returns the names of the fixtures of cheats, which the table has to list. */
export const listCheats = (): string[] =>
  readdirSync(proofFixtures).flatMap((name) => /^cheat-(.*)\.jsonl$/.exec(name)?.[1] ?? [])

/** Writes the project into a directory, with its first commit unless `git` is false. */
export function plantProject(dir: string, { isRepository = true } = {}): void {
  cpSync(join(proofFixtures, 'project'), dir, { recursive: true })
  renameSync(join(dir, 'gitignore'), join(dir, '.gitignore'))
  plantPackages(dir)
  if (!isRepository) return
  git(dir, 'init', '-q', '-b', 'main')
  git(dir, 'add', '-A')
  git(dir, 'commit', '-q', '-m', 'first')
}

/** Writes `node_modules` of the project. */
export function plantPackages(dir: string): void {
  const packages = join(dir, 'node_modules')
  cpSync(join(proofFixtures, 'packages'), packages, { recursive: true })
  chmodSync(join(packages, 'tiny-test/cli.js'), 0o755)
  mkdirSync(join(packages, '.bin'))
  symlinkSync('../tiny-test/cli.js', join(packages, '.bin/tiny-test'))
}

/** Returns a world with the project. */
export function proofWorld(options?: { isRepository?: boolean }): World {
  const made = world()
  plantProject(made.dir, options)
  return made
}

/** Commits of the benchmark in order: the file `sum.js` of each, and its title. */
const benchmarkCommits = ['1-first', '2-comment', '3-slower']

/** Writes the benchmark with three commits: the second changes a comment, and the third is slower. */
export function plantBenchmark(dir: string): void {
  const from = join(proofFixtures, 'benchmark')
  git(dir, 'init', '-q', '-b', 'main')
  copyFileSync(join(from, 'work.js'), join(dir, 'work.js'))
  for (const name of benchmarkCommits) {
    copyFileSync(join(from, `sum-${name}.js`), join(dir, 'sum.js'))
    git(dir, 'add', '-A')
    git(dir, 'commit', '-q', '-m', name)
  }
}
