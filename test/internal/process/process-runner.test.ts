// The runner as a resource: made of nothing, shared by many commands, closed without a trace.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, processesWith, runnerIn, scratch } from './scratch.ts'

test('many commands at once do not affect each other', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir)
  const outs = await Promise.all(
    Array.from({ length: 40 }, (_, i) => run(bash(`echo ${i}; echo ${i} >&2`, dir))),
  )
  expect(outs.map((one) => one.combined.text.trim().split('\n'))).toEqual(
    Array.from({ length: 40 }, (_, i) => [`${i}`, `${i}`]),
  )
})

test('close cancels running commands and leaves no file and no process', async () => {
  const dir = scratch()
  const runner = runnerIn(dir)
  const going = runner.run(bash('echo up; sleep 60', dir))
  await runner.run(bash('true', dir))
  await runner.close()
  expect(await going).toMatchObject({ ended: 'cancelled' })
  expect(readdirSync(join(dir, 'run'))).toEqual([])
  expect(processesWith(dir)).toEqual([])
  expect(await runner.run(bash('true', dir))).toMatchObject({ ended: 'cancelled', exit: null })
})

test('creates no files before the first command', async () => {
  const dir = scratch()
  const runner = runnerIn(dir)
  await runner.close()
  expect(readdirSync(dir)).toEqual([])
})
