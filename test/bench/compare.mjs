// `npm run bench:compare`: how often `anode research compare` errs over a C program of 50 ms, and how often a cheating
// model gets a proof, by the built program.
// BENCH_COMPARISONS sets the comparisons per row (40 for A/A, 20 for a change), BENCH_SAME those of A/A alone,
// BENCH_EFFECTS the changes in percent (5,2), BENCH_SECONDS the budget of one (60), BENCH_LOAD the busy processes that
// run at the same time (0). Writes test/bench/compare.json, or the file of BENCH_OUT.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { draw, median } from './measure.mjs'
import { spawnOwned } from './owned.mjs'

const program = fileURLToPath(new URL('../../dist/anode.cjs', import.meta.url))
const wanted = process.env.BENCH_COMPARISONS
const same = Number(process.env.BENCH_SAME ?? wanted ?? 40)
const changed = Number(wanted ?? 20)
const effects = (process.env.BENCH_EFFECTS ?? '5,2').split(',').map(Number)
const load = Number(process.env.BENCH_LOAD ?? 0)
/** Time in seconds after which a comparison has to end, and processor time of the program in milliseconds. */
const limit = Number(process.env.BENCH_SECONDS ?? 60)
const targetMs = 50

const dir = mkdtempSync(join(tmpdir(), 'anode-bench-compare-'))
const busy = Array.from({ length: load }, () =>
  spawnOwned(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
)
try {
  const steps = calibrate()
  const results = { cpu: [], wall: [] }
  for (let i = 0; i < same; i++) {
    results.cpu.push(compare(steps, steps, 'cpu_ms', i))
    results.wall.push(compare(steps, steps, 'wall_ms', i))
  }
  const found = effects.map((effect) => ({
    effect,
    runs: Array.from({ length: changed }, (_, i) =>
      compare(steps, Math.round(steps * (1 + effect / 100)), 'cpu_ms', i),
    ),
  }))
  const all = [...results.cpu, ...results.wall, ...found.flatMap(({ runs }) => runs)]
  const rows = [
    countProvenCheats(),
    alarms('false alarms of A/A, CPU', results.cpu),
    alarms('false alarms of A/A, clock', results.wall),
    share('`same` of A/A, CPU', results.cpu, 'same', 36 / 40),
    ...found.map(({ effect, runs }) =>
      share(`+${effect} % CPU found`, runs, 'loss', effect < 5 ? 17 / 20 : 19 / 20),
    ),
    bounded(
      'longest comparison, CPU',
      Math.max(...all.filter(isCpu).map(({ seconds }) => seconds)),
      limit,
      's',
    ),
    bounded('own cost of an execution, clock', median(all.map(({ ownMs }) => ownMs)), 200, 'ms'),
  ]
  const result = { node: process.version, same, changed, load, loadavg: loadavg(), steps, rows }
  const out = process.env.BENCH_OUT ?? fileURLToPath(new URL('compare.json', import.meta.url))
  writeFileSync(out, `${JSON.stringify(result, null, 2)}\n`)
  process.stdout.write(`${draw(rows)}\n`)
  process.stdout.write(
    `${all.length} comparisons, load ${loadavg()
      .map((one) => one.toFixed(1))
      .join(' ')}\n`,
  )
  if (rows.some((one) => !one.met)) process.exitCode = 1
} finally {
  for (const child of busy) child.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
}

/** Returns the row of cheats that a run with a check calls proven. Each model is a script of the test fixtures. */
function countProvenCheats() {
  const fixtures = fileURLToPath(new URL('../fixtures/proof', import.meta.url))
  const scripts = readdirSync(fixtures).filter((name) => name.startsWith('cheat-'))
  const proven = scripts.filter((script) => {
    const cwd = join(mkdtempSync(join(dir, 'cheat-')), 'project')
    cpSync(join(fixtures, 'project'), cwd, { recursive: true })
    renameSync(join(cwd, 'gitignore'), join(cwd, '.gitignore'))
    cpSync(join(fixtures, 'packages'), join(cwd, 'node_modules'), { recursive: true })
    chmodSync(join(cwd, 'node_modules/tiny-test/cli.js'), 0o755)
    mkdirSync(join(cwd, 'node_modules/.bin'))
    symlinkSync('../tiny-test/cli.js', join(cwd, 'node_modules/.bin/tiny-test'))
    for (const words of ['init -q -b main', 'add -A', 'commit -q -m first']) gitIn(cwd, ...words.split(' '))
    const words = ['execute', 'Fix add', '--until', 'npm test', '--model', `script:${join(fixtures, script)}`]
    const env = { ...process.env, ANODE_DATA_DIR: join(cwd, '../data') }
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [program, ...words, '--approval', 'unrestricted', '--json'],
      { cwd, encoding: 'utf8', env },
    )
    if (!stdout.startsWith('{')) throw new Error(`${script} printed no result: ${stderr}`)
    return JSON.parse(stdout).proof.state === 'proven'
  })
  const ours = `${proven.length} of ${scripts.length}`
  const met = proven.length === 0 && scripts.length > 0
  return { what: 'cheats called proven', floor: '-', ours, ratio: '-', goal: '0', met }
}

function isCpu({ metric }) {
  return metric === 'cpu_ms'
}

function git(...words) {
  return gitIn(dir, ...words)
}

function gitIn(cwd, ...words) {
  const names = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
  return execFileSync('git', [...names, ...words], { cwd, encoding: 'utf8' }).trim()
}

/**
 * Writes the program with a comment that makes the tree different. Its time is proportional to `steps`: each
 * step needs the result of the one before, in a register, so neither memory nor the compiler changes its time.
 */
function commit(steps, comment) {
  writeFileSync(
    join(dir, 'work.c'),
    `// ${comment}\nint main(void) {\n  unsigned x = 1;\n  for (long i = 0; i < ${steps}L; i++) {\n` +
      '    x = x * 1664525u + 1013904223u;\n    __asm__ volatile("" : "+r"(x));\n  }\n  return x == 7;\n}\n',
  )
  git('add', '-A')
  git('commit', '-q', '-m', comment)
}

/**
 * Returns the steps that take the target time on this machine. It measures again with the steps it found, because
 * the clock of a processor differs between an idle and a busy machine.
 */
function calibrate() {
  git('init', '-q', '-b', 'main')
  writeFileSync(join(dir, '.gitignore'), 'work\n')
  let steps = 20_000_000
  for (let i = 0; i < 6; i++) {
    commit(steps, `calibrate ${i}`)
    execFileSync('cc', ['-O1', '-o', 'work', 'work.c'], { cwd: dir })
    const ms = median(Array.from({ length: 15 }, processorTime))
    const last = steps
    steps = Math.round((steps * targetMs) / ms)
    if (Math.abs(steps / last - 1) < 0.03) break
  }
  rmSync(join(dir, 'work'))
  return steps
}

/** Returns the processor time of one execution in milliseconds. */
function processorTime() {
  // with a pipe of Node as its input, bash can believe that it was started over a network, and read .bashrc
  const stdio = ['ignore', 'pipe', 'inherit']
  const output = execFileSync('bash', ['--norc', '-c', './work; times'], {
    cwd: dir,
    encoding: 'utf8',
    stdio,
  })
  const [, ...times] = /\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(output)
  const [userMinutes, user, systemMinutes, system] = times.map(Number)
  return 1000 * (60 * (userMinutes + systemMinutes) + user + system)
}

function compare(from, to, metric, i) {
  commit(from, `base ${metric} ${i}`)
  commit(to, `head ${metric} ${i}`)
  const words = [
    'research',
    'compare',
    'HEAD~1',
    'HEAD',
    '--cmd',
    './work',
    '--build',
    'cc -O1 -o work work.c',
  ]
  const flags = [
    '--metric',
    metric,
    '--seed',
    String(i + 1),
    '--fail-on',
    'none',
    '--budget',
    `${limit}s`,
    '--json',
  ]
  const env = { ...process.env, ANODE_DATA_DIR: join(dir, '.git', 'anode') }
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...words, ...flags], {
    cwd: dir,
    encoding: 'utf8',
    env,
  })
  if (status !== 0) throw new Error(`a comparison ended with ${status}: ${stderr}`)
  const { verdict, seconds, executions, metrics } = JSON.parse(stdout)
  const wall = metrics.find(({ name }) => name === 'wall_ms')
  const ownMs = (1000 * seconds) / executions - (wall.base + wall.head) / 2
  process.stderr.write(`${metric} ${to === from ? 'A/A' : 'change'} ${verdict} ${seconds.toFixed(1)} s\n`)
  return { metric, verdict, seconds, ownMs }
}

function alarms(what, runs) {
  const count = runs.filter(({ verdict }) => verdict === 'loss' || verdict === 'gain').length
  const goal = Math.max(1, Math.floor(runs.length / 40))
  return {
    what,
    floor: '-',
    ours: `${count} of ${runs.length}`,
    ratio: '-',
    goal: `<= ${goal}`,
    met: count <= goal,
  }
}

function share(what, runs, verdict, part) {
  const count = runs.filter((run) => run.verdict === verdict).length
  const goal = Math.floor(part * runs.length)
  return {
    what,
    floor: '-',
    ours: `${count} of ${runs.length}`,
    ratio: '-',
    goal: `>= ${goal}`,
    met: count >= goal,
  }
}

function bounded(what, value, most, unit) {
  const ours = `${value.toFixed(1)} ${unit}`
  return { what, floor: '-', ours, ratio: '-', goal: `<= ${most} ${unit}`, met: value <= most }
}
