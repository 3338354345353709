// Real experiments for `npm run bench:research`: the null test on the gcc example, and the cost of the engine
// per pair.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from './measure.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'dist', 'anode.cjs')

/** Calls `use` with a temporary repository and its data directory. */
function inRepository(fill, use) {
  const base = mkdtempSync(join(tmpdir(), 'anode-bench-experiments-'))
  const dir = join(base, 'work')
  mkdirSync(dir)
  const env = { PATH: process.env.PATH, HOME: base, ANODE_DATA_DIR: join(base, 'data') }
  const run = (file, ...args) => {
    const done = spawnSync(file, args, { cwd: dir, env, encoding: 'utf8' })
    if (done.status !== 0)
      throw new Error(`${file} ${args.join(' ')} ended with ${done.status}: ${done.stderr}`)
    return done
  }
  try {
    fill(dir)
    run('git', 'init', '-q', '-b', 'main')
    run('git', 'add', '-A')
    run('git', 'config', 'user.name', 'bench')
    run('git', 'config', 'user.email', 'bench@example.org')
    run('git', 'commit', '-q', '-m', 'start')
    return use((...words) => run(process.execPath, program, 'research', ...words), run, dir)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** Returns the counts of A/A experiments on a copy of the gcc example, or undefined without gcc. */
export function nullTest(candidates) {
  if (spawnSync('gcc', ['--version']).status !== 0) return undefined
  const example = join(root, 'manual', 'examples', 'research', 'gcc')
  return inRepository(
    (dir) => cpSync(example, dir, { recursive: true }),
    (research) => JSON.parse(research('aa', '--candidates', String(candidates), '--json').stdout),
  )
}

const command = 'echo METRIC x=$(($(<file.txt) + RANDOM % 60))'
const [few, many] = [20, 80]

/**
 * Returns the milliseconds of one pair: of the same command run twice by a shell, and with the engine,
 * computed from the difference between a long and a short final measurement. Processor time includes
 * children.
 */
export function pairCost(rounds) {
  return inRepository(
    (dir) => writeFileSync(join(dir, 'file.txt'), '1000\n'),
    (research, run, dir) => {
      research(
        'init',
        '--name',
        'x',
        '--metric',
        'x',
        '--direction',
        'lower',
        '--cmd',
        command,
        '--scope',
        'file.txt',
        '--skip-null-test',
      )
      research('run')
      research('log', '--status', 'baseline')
      // a final measurement needs a kept change
      writeFileSync(join(dir, 'file.txt'), '500\n')
      research('run')
      research('log', '--status', 'keep')
      const found = { alone: [], engine: [] }
      for (let i = 0; i < rounds; i++) {
        const alone = timed(
          run,
          'bash',
          '-c',
          `for ((i = 0; i < ${2 * many}; i++)); do bash -c '${command}'; done`,
        )
        const final = (pairs) =>
          timed(run, process.execPath, program, 'research', 'final', '--pairs', String(pairs))
        const [short, long] = [final(few), final(many)]
        found.alone.push({ cpu: alone.cpu / many, wall: alone.wall / many })
        found.engine.push({
          cpu: (long.cpu - short.cpu) / (many - few),
          wall: (long.wall - short.wall) / (many - few),
        })
      }
      const middle = (list, key) => median(list.map((one) => one[key]))
      const both = (list) => ({ cpu: middle(list, 'cpu'), wall: middle(list, 'wall') })
      return { alone: both(found.alone), engine: both(found.engine) }
    },
  )
}

/** Measures with the shell's `times`, which includes grandchildren. */
function timed(run, ...words) {
  const { stderr } = run('bash', '-c', 'TIMEFORMAT="%3R %3U %3S"; time "$@" >/dev/null', 'bash', ...words)
  const [wall, user, system] = stderr
    .trim()
    .split('\n')
    .at(-1)
    .split(' ')
    .map((text) => 1000 * Number(text))
  return { wall, cpu: user + system }
}
