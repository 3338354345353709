// The script of process 1 is one that bash reads, and it ends before the command when a mount fails.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  isolatedWords,
  prepareIsolation,
} from '../../../../../internal/research/measure/isolation/isolation.ts'
import { isolationScript } from '../../../../../internal/research/measure/isolation/isolation-script.ts'
import { run } from '../../../../support/run.ts'
import { scratch } from '../../../../support/scratch.ts'

const env = { PATH: process.env.PATH ?? '' }

it('is read by bash without a complaint', async () => {
  const { exit, stderr } = await run({ file: 'bash', args: ['-n', '-c', isolationScript], cwd: '/', env })
  expect([exit, stderr.text]).toEqual([0, ''])
})

it('runs nothing where it cannot mount', async () => {
  const dir = scratch()
  // a folder that is not there cannot be mounted
  const args = ['-c', isolationScript, 'anode', `${dir}/none`, dir, '', 'echo ran']
  const { exit, stdout } = await run({
    file: 'bash',
    args,
    cwd: dir,
    env: { ...env, PATH: `${dir}:${env.PATH}` },
  })
  expect(exit).not.toBe(0)
  expect(stdout.text).toBe('')
})

const canIsolate =
  (await run({ file: 'unshare', args: ['-Urm', 'true'], cwd: '/', env }).catch(() => undefined))?.exit === 0

it.skipIf(!canIsolate)('leaves nothing writable but what an execution has for itself', async () => {
  // signs that a table of mounts writes in another way
  const dir = join(scratch(), ' a #\\b\tä')
  const [checkout, keep] = [join(dir, 'checkout'), join(dir, 'keep')]
  for (const one of [checkout, keep]) mkdirSync(one, { recursive: true })
  const cwd = '/tmp/anode/checkout'
  await prepareIsolation(join(dir, '1'), { checkout, cwd, keep: [keep], cover: [], mask: [] })
  // the topmost mount of a place is what a path leads to
  const topmost = `awk '{ now[$5] = $6 } END { for (at in now) if (now[at] ~ /^rw/) print at }' /proc/self/mountinfo`
  const [file = '', ...args] = isolatedWords(join(dir, '1'), `${topmost}; touch here`, cwd, '')
  const { exit, stdout, stderr } = await run({ file, args, cwd: dir, env })
  expect([exit, stderr.text]).toEqual([0, ''])
  const own = (place: string) => /^(\/tmp|\/var\/tmp|\/dev\/shm|\/proc)$/.test(place)
  const writable = stdout.text.trim().split('\n').sort()
  expect(writable.filter(own)).toEqual(expect.arrayContaining(['/proc', '/tmp']))
  // the checkout, and the execution's folder where it lay before
  expect(writable.filter((place) => !own(place) && !/\/1\/own(\/anode\/checkout)?$/.test(place))).toEqual([
    cwd,
  ])
})
