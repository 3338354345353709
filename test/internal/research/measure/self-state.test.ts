// Changes of a measured command to the measuring process: they are detected and reverted.
import { getPriority } from 'node:os'
import { expect, it, vi } from 'vitest'
import {
  readSelfState,
  restoreSelfState,
  selfChanges,
} from '../../../../internal/research/measure/self-state.ts'
import type { SessionSettings } from '../../../../internal/research/settings.ts'
import { lab, noisyMeasure, paired } from '../../../support/research.ts'
import { run } from '../../../support/run.ts'

vi.setConfig({ testTimeout: 120_000 })

const files = {
  'src/prog.sh': 'echo 100\n',
  '.auto/measure.sh': noisyMeasure,
}
const settings: SessionSettings = { ...paired, isolate: 'off', skipNullTest: true, scope: ['src'] }
const tools = { run, env: { PATH: process.env.PATH ?? '' }, cwd: '/' }

const tricks: [string, string, string][] = [
  ['pins it to one processor', `taskset -apc 0 ${process.pid}`, 'processors'],
  ['slows it down', `renice -n 5 -p ${process.pid}`, 'priority'],
  ['takes the disk from it', `ionice -c 3 -p ${process.pid}`, 'disk'],
  ['makes it a batch', `chrt --batch -p 0 ${process.pid}`, 'policy'],
  ['limits it', `prlimit --pid ${process.pid} --nofile=1000: --stack=1000000:`, 'limits'],
]

it.runIf(process.platform === 'linux').each(tricks)('detects a command that %s', async (_, trick, what) => {
  const before = await readSelfState(tools)
  const at = lab(files)
  const research = await at.open()
  await research.init(settings)
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('src/prog.sh', `${trick} >/dev/null 2>&1\necho 50\n`)
  const ran = await research.run()
  const after = await readSelfState(tools)
  // a machine of one processor cannot be pinned, and not every machine allows all of this
  if (ran.status !== 'crash') expect(selfChanges(before, after)).toEqual([])
  else expect(ran).toMatchObject({ reason: 'lock_violation', detail: expect.stringContaining(what) })
  expect(after.affinity).toBe(before.affinity)
  if (process.getuid?.() === 0) expect(selfChanges(before, after)).toEqual([])
})

it('restores the changed state', async () => {
  const before = await readSelfState(tools)
  await run({ ...tools, file: 'taskset', args: ['-apc', '0', String(process.pid)] })
  const now = await readSelfState(tools)
  await restoreSelfState(before, now, tools)
  expect((await readSelfState(tools)).affinity).toBe(before.affinity)
  expect(getPriority()).toBe(Number(before.nice))
})

it('spreads commands over every processor although it is pinned itself', async () => {
  const before = await readSelfState(tools)
  await run({ ...tools, file: 'taskset', args: ['-apc', '0', String(process.pid)] })
  try {
    const at = lab({ '.auto/measure.sh': 'echo "METRIC ms=$(nproc)"\n' })
    const research = await at.open()
    await research.init({ ...settings, scope: [], isolate: 'auto' })
    const all = Number((await run({ ...tools, file: 'nproc', args: ['--all'] })).stdout.text)
    expect((await research.run()).metric).toBe(all)
  } finally {
    await restoreSelfState(before, await readSelfState(tools), tools)
  }
})
