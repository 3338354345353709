// The runner as a resource: made of nothing, shared by many commands, closed without a trace.
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ChildOwner } from '../../../internal/process/child-owner.ts'
import { folderSandbox } from '../../../internal/tool-support/command-sandbox.ts'
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

test('runners that share an owner share one watchdog, and no temporary directory', async () => {
  const dir = scratch()
  const owner = new ChildOwner(dir)
  onTestFinished(() => owner.close())
  const places: (string | undefined)[] = []
  const open = () =>
    runnerIn(dir, {
      owner,
      sandbox: async (plan, { directory, temporary }) => {
        const own = join(directory, temporary ?? '')
        mkdirSync(own, { recursive: true })
        places.push(own)
        return { plan, leave: async () => ({ refused: [] }) }
      },
    })
  const runners = [open(), open(), open()]
  const command = bash('echo x', dir, { sandbox: folderSandbox(dir) })
  for (const { run } of [...runners, ...runners]) expect(await run(command)).toMatchObject({ exit: 0 })
  expect(places.slice(3)).toEqual(places.slice(0, 3))
  expect(new Set(places).size).toBe(3)
  const [directory = ''] = readdirSync(join(dir, 'run')).map((name) => join(dir, 'run', name))
  expect(readdirSync(join(dir, 'run'))).toHaveLength(1)
  expect(processesWith(directory)).toHaveLength(1)
  await runners[0]?.close()
  expect(places.slice(0, 3).map((path) => existsSync(path ?? ''))).toEqual([false, true, true])
  expect(await runners[1]?.run(command)).toMatchObject({ exit: 0 })
  await owner.close()
  expect(readdirSync(join(dir, 'run'))).toEqual([])
  expect(processesWith(directory)).toEqual([])
})

test('a runner that closes ends its own commands, and not those of a runner with the same owner', async () => {
  const dir = scratch()
  const owner = new ChildOwner(dir)
  onTestFinished(() => owner.close())
  const [one, other] = [runnerIn(dir, { owner }), runnerIn(dir, { owner })]
  const cut = one.run(bash('sleep 60 & sleep 60', dir))
  await one.run(bash('mkfifo gate', dir))
  const kept = other.run(bash('read -r line < gate; echo "$line"', dir))
  await one.close()
  expect(await cut).toMatchObject({ ended: 'cancelled' })
  await other.run(bash('echo open > gate', dir))
  expect((await kept).combined.text).toBe('open\n')
})
