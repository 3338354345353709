// The builds of `npm run bench:build`: their repositories, plans and scripts, and what their journals report.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { median } from './measure.mjs'
import { spawnOwned } from './owned.mjs'

const root = join(import.meta.dirname, '..', '..')
const git = (cwd, ...args) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
const moduleText = 'const oldName = (n) => n * 2\nmodule.exports = oldName\n'
const codemod = `const fs = require('node:fs')
const [dir, line] = process.argv.slice(2)
const path = dir + '/index.js'
fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replaceAll('oldName', 'newName') + '// renamed\\n')
if (line) fs.appendFileSync('CHANGELOG.md', line + '\\n')
`
const check = `for (const id of require('node:fs').readdirSync('src'))
  if (require('./src/' + id + '/index.js')(2) !== 4) throw new Error(id)
`
const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Creates a repository with a module for each task, and `more` other files. Returns its path. */
export function createRepository(home, name, more = 0) {
  const dir = join(home, name, 'work')
  const put = (path, text) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  for (const id of ids) put(`src/${id}/index.js`, moduleText)
  for (let i = 0; i < more; i++) put(`data/${i % 50}/file-${i}.txt`, `line of file ${i}\n`.repeat(20))
  put('codemod.js', codemod)
  put('check.js', check)
  put('CHANGELOG.md', '# Changes\n')
  git(dir, 'init', '-q', '-b', 'main')
  git(dir, 'config', 'user.name', 'Ada')
  git(dir, 'config', 'user.email', 'ada@example.org')
  // a collection of garbage in the background would change the checkout later
  git(dir, 'config', 'gc.auto', '0')
  git(dir, 'config', 'maintenance.auto', 'false')
  git(dir, 'add', '-A')
  git(dir, 'commit', '-qm', 'first')
  // work of the user that a build must keep
  put('notes.txt', 'not committed\n')
  put('CHANGELOG.md', '# Changes\n\nnot committed\n')
  git(dir, 'stash', 'push', '-q')
  put('CHANGELOG.md', '# Changes\n\nstaged\n')
  git(dir, 'add', 'CHANGELOG.md')
  return dir
}

/** Returns mode and content of every file of the checkout, without what a build may add to `.git`. */
export function readCheckout(dir) {
  const files = new Map()
  const isAdded = (path) => /^\.git\/(?:objects|worktrees|(?:logs\/)?refs\/heads\/anode)(?:\/|$)/.test(path)
  const visit = (path) => {
    for (const entry of readdirSync(join(dir, path), { withFileTypes: true })) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`
      if (isAdded(below)) continue
      if (entry.isDirectory()) visit(below)
      else files.set(below, `${statSync(join(dir, below)).mode} ${readFileSync(join(dir, below), 'latin1')}`)
    }
  }
  visit('')
  return files
}

/** Returns the paths of the checkout that are new, gone or different. */
export function findChanges(before, after) {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path))
}

/**
 * Runs a build. Resolves with its summary, the entries of its journal, milliseconds of wall time and CPU with
 * all child processes, and the changed paths of the checkout. Throws if the build is not done.
 */
async function runBuild(home, dir, plan, words = []) {
  writeFileSync(join(dir, '..', 'plan.json'), JSON.stringify(plan))
  const before = readCheckout(dir)
  const started = performance.now()
  const anode = [
    process.execPath,
    join(root, 'dist', 'anode.cjs'),
    'build',
    '--plan',
    '../plan.json',
    '--json',
  ]
  // the second line of `times` is the CPU of child processes that have ended
  const env = { PATH: process.env.PATH, HOME: home, ANODE_DATA_DIR: join(home, 'data'), LC_ALL: 'C' }
  const child = spawnOwned('bash', ['-c', '"$@"; code=$?; times >&2; exit $code', '-', ...anode, ...words], {
    cwd: dir,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines = []
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line))
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  await new Promise((resolve) => child.on('close', resolve))
  const wall = performance.now() - started
  const summary = out === '' ? undefined : JSON.parse(out)
  if (summary?.end !== 'done') throw new Error(`the build is not done:\n${lines.join('\n')}\n${out}`)
  const watch = [join(root, 'dist', 'anode.cjs'), 'build', 'watch', summary.id, '--json']
  const journal = execFileSync(process.execPath, watch, {
    cwd: dir,
    env,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  const entries = journal.split('\n').flatMap((line) => (line.startsWith('{"seq"') ? [JSON.parse(line)] : []))
  const cpu = cpuOf(lines.at(-1))
  const refs = git(dir, 'for-each-ref', '--format=%(refname)', 'refs/heads/anode').split('\n')
  return { summary, entries, wall, cpu, refs, changed: findChanges(before, readCheckout(dir)) }
}

const timesOf = (entries, kind, id) =>
  entries.filter((entry) => entry.kind === kind && entry.data.task === id).map(({ ts }) => ts)

/** Tasks whose last two append to a shared file. Of more than three, the first two also have one scope. */
export async function measureCommands(home, count) {
  const dir = createRepository(home, 'commands')
  const few = ids.slice(0, count)
  const hasRival = count > 3
  const tasks = few.map((id, i) => {
    const isRival = hasRival && id === 'b'
    const line = i < count - 2 ? '' : `- ${id}`
    return {
      id,
      run: `sleep 1 && node codemod.js src/${isRival ? 'a' : id} '${line}'`,
      scope: isRival ? ['src/a/**', 'src/b/**'] : [`src/${id}/**`],
    }
  })
  const plan = { goal: 'Rename', until: ['node check.js'], shared: ['CHANGELOG.md'], tasks }
  const { summary, entries, ...rest } = await runBuild(home, dir, plan, ['--workers', '4'])
  const firstOfB = Math.min(...timesOf(entries, 'task.started', 'b'))
  const mergeOfA = Math.max(...timesOf(entries, 'merged', 'a'))
  return {
    ...rest,
    count,
    pairs: hasRival ? 2 : 1,
    merged: summary.tasks.filter(({ state }) => state === 'merged').length,
    overlaps: hasRival && firstOfB < mergeOfA ? 1 : 0,
    isOrdered: !hasRival || mergeOfA <= Math.min(...timesOf(entries, 'merged', 'b')),
    conflicts: entries.filter(({ kind, data }) => kind === 'reopened' && data.why === 'conflict').length,
  }
}

/** Milliseconds of model time of the agents. */
const delays = [3000, 6000, 4000, 5000, 3000, 6000, 4000, 5000]

/** Agents with independent scopes, so the bound is the longest task or a quarter of all. */
export async function measureAgents(home, count) {
  const dir = createRepository(home, 'agents')
  const few = ids.slice(0, count)
  const replies = few.flatMap((task, i) => {
    const delay_ms = delays[i] / 2
    const args = {
      path: `src/${task}/index.js`,
      old_string: 'oldName',
      new_string: 'newName',
      replace_all: true,
    }
    return [
      { task, delay_ms, calls: [{ name: 'edit_file', args }] },
      { task, delay_ms, text: 'Renamed.' },
    ]
  })
  writeFileSync(
    join(dir, '..', 'script.jsonl'),
    replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''),
  )
  const tasks = few.map((id) => ({ id, do: `Rename oldName in src/${id}.`, scope: [`src/${id}/**`] }))
  const words = ['--workers', '4', '--model', 'script:../script.jsonl']
  const plan = { goal: 'Rename', until: ['node check.js'], tasks }
  const { entries, ...rest } = await runBuild(home, dir, plan, words)
  const used = delays.slice(0, count)
  const bound = Math.max(...used, used.reduce((sum, ms) => sum + ms, 0) / 4)
  return { ...rest, count, bound, checks: checksOnPath(entries) }
}

/** Returns milliseconds of checks that no other task hides: of two tasks, two merges, and the end. */
function checksOnPath(entries) {
  const spent = { task: [], queue: [], closing: [] }
  for (const { kind, data } of entries)
    if (kind === 'proof') spent[data.where].push(data.receipt.checks.reduce((sum, { ms }) => sum + ms, 0))
  return 2 * median(spent.task) + 2 * median(spent.queue) + median(spent.closing)
}

/**
 * What git alone needs for the same files on this machine at this time, while two worktrees are created at the
 * same time, as two workers do it: the milliseconds of CPU for one, and until both are ready.
 */
async function measureWorktrees(dir) {
  const places = ['floor-1', 'floor-2'].map((name) => join(dir, '..', name))
  const started = performance.now()
  const script = 'git worktree add --quiet --detach "$0" HEAD; times'
  const made = places.map((place) => {
    const child = spawnOwned('bash', ['-c', script, place], {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    return new Promise((resolve) => child.on('close', () => resolve(cpuOf(text.trim().split('\n').at(-1)))))
  })
  const spent = await Promise.all(made)
  const wall = performance.now() - started
  for (const place of places) git(dir, 'worktree', 'remove', '--force', place)
  return { cpu: median(spent), wall }
}

/** Returns the milliseconds of user and system time in a line of the shell's `times`. */
const cpuOf = (line = '') =>
  [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60_000 * Number(minutes) + 1000 * Number(seconds),
    0,
  )

/**
 * The build's CPU for each of four tasks, and the median time from a lease to the command of a task. The floor
 * is what git needs for the worktrees alone: of two workers and of the queue for all tasks, and of two workers
 * at the same time for a start.
 */
export async function measureCost(home, files) {
  const dir = createRepository(home, 'cost', files - ids.length - 4)
  const few = ids.slice(0, 4)
  const alone = await measureWorktrees(dir)
  const tasks = few.map((id) => ({ id, run: `echo '// x' >> src/${id}/index.js`, scope: [`src/${id}/**`] }))
  const plan = { goal: 'Append', until: ['true'], tasks }
  const { entries, cpu, ...rest } = await runBuild(home, dir, plan, ['--workers', '2'])
  const starts = entries
    .filter(({ kind }) => kind === 'step')
    .map(({ ts, data }) => ts - data.ms - timesOf(entries, 'task.started', data.task)[0])
  const floor = { cpu: (3 * alone.cpu) / few.length, start: alone.wall }
  return { ...rest, cpu: cpu / few.length, start: median(starts), floor }
}
