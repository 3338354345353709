// Builds that `npm run bench:build` kills at entries of their journals and then resumes.
import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createRepository, findChanges, readCheckout } from './build-runs.mjs'
import { spawnOwned } from './owned.mjs'

const root = join(import.meta.dirname, '..', '..')
const program = join(root, 'dist', 'anode.cjs')
const preload = join(root, 'test', 'support', 'kill-before-entry.cjs').replaceAll(' ', '\\ ')
const ids = ['a', 'b', 'c']

const kinds = [
  ...['leader 1', 'task.started 2', 'step 1', 'proof 1', 'result 1', 'queued 2'],
  ...['merge.started 1', 'merged 2', 'reopened 1'],
]
/** Places of a kill: before or after an entry of the journal, and which one of its kind. */
const places = [
  ...[...kinds, 'build.ended 1'].map((entry) => ['before', entry]),
  ...['plan 1', ...kinds].map((entry) => ['after', entry]),
]

/** Starts a build and kills it. Resolves to false if it ended before. */
function killBuild(dir, env, [side, entry]) {
  const [kind, count] = entry.split(' ')
  const killed = side === 'before' ? { NODE_OPTIONS: `--require "${preload}"`, ANODE_TEST_KILL: entry } : {}
  const child = spawnOwned(process.execPath, [program, 'build', '--plan', '../plan.json', '--json'], {
    cwd: dir,
    env: { ...env, ...killed },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let seen = 0
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (side === 'after' && line.includes(`"kind":"${kind}"`) && ++seen === Number(count))
      child.kill('SIGKILL')
  })
  return new Promise((resolve) => child.on('close', (_, signal) => resolve(signal === 'SIGKILL')))
}

/**
 * Kills and resumes a build at each of the first `count` places. Each build has three tasks that append to one
 * shared file. Returns how many ended with each task merged once, the steps that were paid twice, the worktrees
 * that were left, and the changed paths of the checkouts.
 */
export async function measureKills(home, count) {
  const total = { count: Math.min(count, places.length), resumed: 0, repaid: 0, worktrees: 0, changed: [] }
  for (const [i, place] of places.slice(0, count).entries()) {
    const dir = createRepository(home, `kill-${i}`)
    const run = (id) => `node codemod.js src/${id} '- ${id}'`
    const tasks = ids.map((id) => ({ id, run: run(id), scope: [`src/${id}/**`] }))
    const plan = { goal: 'Rename', until: ['node check.js'], shared: ['CHANGELOG.md'], tasks }
    writeFileSync(join(dir, '..', 'plan.json'), JSON.stringify(plan))
    const data = join(dir, '..', 'data')
    const env = { PATH: process.env.PATH, HOME: home, ANODE_DATA_DIR: data }
    const stdio = ['ignore', 'pipe', 'ignore']
    const read = (file, ...args) => execFileSync(file, args, { cwd: dir, env, stdio, encoding: 'utf8' })
    const before = readCheckout(dir)
    if (!(await killBuild(dir, env, place))) throw new Error(`the build was not killed ${place.join(' ')}`)
    const { end, branch, repaid_steps } = JSON.parse(
      read(process.execPath, program, 'build', 'resume', 'last', '--json'),
    )
    const trailer = '%(trailers:key=Anode-Task,valueonly,separator=)'
    const names = read('git', 'log', `--format=${trailer}`, `main..${branch}`).trim().split('\n')
    const merged = names.map((name) => name.split('/')[1]).sort()
    if (end === 'done' && merged.join() === ids.join()) total.resumed++
    total.repaid += repaid_steps
    total.worktrees += readdirSync(join(data, 'builds')).length
    total.changed.push(...findChanges(before, readCheckout(dir)))
  }
  return total
}
