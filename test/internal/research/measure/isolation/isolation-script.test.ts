// The script of process 1 is one that bash reads, and it ends before the command when a mount fails.
import { expect, it } from 'vitest'
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
