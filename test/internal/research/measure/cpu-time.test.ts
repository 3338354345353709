import { expect, it } from 'vitest'
import { timeCpu } from '../../../../internal/research/measure/cpu-time.ts'
import { run } from '../../../support/run.ts'
import { scratch } from '../../../support/scratch.ts'

const env = { PATH: process.env.PATH ?? '' }

async function time(...words: string[]) {
  let out = ''
  const timed = await timeCpu(run, words, {
    cwd: scratch(),
    env,
    onOutput: (chunk, stream) => {
      out += `${stream}: ${Buffer.from(chunk)}`
    },
  })
  return { ...timed, out }
}

it('counts work, of children too, and not waiting', async () => {
  const spin = 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'
  const idle = await time('sleep', '0.3')
  const busy = await time('bash', '-c', spin)
  const child = await time('bash', '-c', `bash -c '${spin}'; true`)
  expect(idle.cpuMs).toBeLessThan(busy.cpuMs)
  expect(child.cpuMs).toBeGreaterThan(busy.cpuMs / 3)
})

it('passes on output, words and exit code as they are', async () => {
  expect(await time('bash', '-c', 'printf %s "$2"; exit 7', 'x', 'a b', '$c d')).toMatchObject({
    exit: 7,
    out: 'stdout: $c d',
  })
  expect(await time('bash', '-c', 'echo no >&2')).toMatchObject({ exit: 0, out: 'stderr: no\n' })
})

it('says how a program that cannot be run ends', async () => {
  const missing = await time('no-such-program-here')
  expect(missing.exit).toBe(127)
  expect(missing.out).toContain('no-such-program-here')
})

/** About as much work as each of them, done by a process that has lost its parents. */
const spin = 'i=0; while [ $i -lt 120000 ]; do i=$((i+1)); done'
const work = `${spin}; touch done`
const untilDone = 'until [ -e done ]; do sleep 0.05; done'
const ways: [string, string, number][] = [
  ['that ended before the command', `( (${work}) & ); ${untilDone}`, 0],
  ['two generations down', `( ( (${work}) & ) & ); ${untilDone}`, 0],
  [
    'in a session of its own, environment cleared',
    `env -i setsid -f bash -c '${work}' </dev/null >/dev/null 2>&1; ${untilDone}`,
    0,
  ],
  ['that outlives the command', `( (${work}; while :; do :; done) & ); ${untilDone}`, 1],
]

it.runIf(process.platform === 'linux').each(ways)(
  'counts a process %s',
  async (_, line, leaked) => {
    const honest = await time('bash', '-c', spin)
    const found = await time('bash', '-c', line)
    expect(found.cpuMs).toBeGreaterThan(honest.cpuMs / 3)
    expect(found.leaked).toBe(leaked)
  },
  60_000,
)
