// What the user decides about the program of another agent: its calls without a sandbox, and its end.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planText, putModules, readStatus } from '../../support/build.ts'
import { openScreenWorld, type ScreenWorld } from '../../support/screen-program.ts'
import { root } from '../../support/sources.ts'

const task = { id: 'a', do: 'Rename oldName in src/a.', scope: ['src/a/**'] }

function begin(manner: string): ScreenWorld {
  const here = openScreenWorld([])
  putModules(here, ['a', 'b'])
  const rude = join(root, 'test/support/rude-agent.mjs')
  const command = [process.execPath, rude, manner, join(here.dir, '../outside.txt')]
  here.put('../.config/anode/config.json', JSON.stringify({ workers: { one: { command } } }))
  here.put('../plan.json', planText([task]))
  return here
}

const words = ['build', '--plan', '../plan.json', '--worker', 'acp:one', '--attempts', '1']
const question = /acp:one, task a, no sandbox: Edit\?/

describe('a program without a sandbox', () => {
  it.each([
    { answer: 'allow once', keys: 'y', code: 0, state: 'merged', why: null },
    { answer: 'deny', keys: 'n', code: 4, state: 'failed', why: 'denied' },
    { answer: 'Escape', keys: '\x1b', code: 4, state: 'failed', why: 'denied' },
  ])(
    'asks the user, who answers: $answer',
    async ({ keys, code, state, why }) => {
      const here = begin('asks')
      const screen = here.start([...words, '--sandbox', 'off'])
      await screen.until(question, 60_000)
      screen.type(keys)
      expect(await screen.exit, screen.screen()).toBe(code)
      expect((await readStatus(here)).tasks[0]).toMatchObject({ state, why })
    },
    90_000,
  )

  it.each([
    { how: '--yes', more: ['--yes'], isTerminal: true },
    { how: 'no terminal', more: [], isTerminal: false },
  ])(
    'gets no call with $how',
    async ({ more, isTerminal }) => {
      const here = begin('asks')
      const all = [...words, '--sandbox', 'off', ...more]
      const code = isTerminal ? await here.start(all).exit : (await here.anode(all)).code
      expect(code).toBe(4)
      expect((await readStatus(here)).tasks[0]).toMatchObject({ state: 'failed', why: 'denied' })
    },
    90_000,
  )
})

it('is asked to end its turn when the build is interrupted', async () => {
  const here = begin('patient')
  const screen = here.start(words)
  await screen.until(/^. a +running/m, 60_000)
  // the program has begun its turn
  await screen.until(() => existsSync(join(here.data, 'workers/acp-one/begun')), 60_000)
  screen.type('\x03')
  expect(await screen.exit, screen.screen()).toBe(130)
  expect(existsSync(join(here.data, 'workers/acp-one/cancelled'))).toBe(true)
  expect((await readStatus(here)).tasks[0]).toMatchObject({ state: 'running' })
}, 90_000)
