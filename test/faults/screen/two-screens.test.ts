// Two screens on one thread in two processes: only one works at a time, and both show all messages.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openScreenWorld } from '../../support/screen-program.ts'

const held = 'touch begun; while [ ! -e go ]; do sleep 0.02; done'

it('returns a message for a thread that runs elsewhere, keeps its shell commands local, and both screens end with the same text', async () => {
  const world = openScreenWorld([
    { text: 'First.' },
    { text: 'Slow.', calls: [{ name: 'bash', args: { command: held } }] },
    { text: 'After.' },
    { text: 'More.' },
  ])
  const words = [...world.model, '--approval', 'unrestricted']
  const one = world.start([...words, 'one word'])
  await one.until(/First\.[\s\S]*\? help/)
  const two = world.start([...words, '--continue'])
  await two.until(/First\.[\s\S]*\? help/)
  one.type('from one\r')
  await one.until(() => existsSync(join(world.dir, 'begun')))
  two.type('from two\r')
  await two.until(/is at work on this thread/)
  await two.until(/^ from two$/m)
  world.put('go', '')
  await one.until(/After\.[\s\S]*\? help/)
  two.type('\r')
  await two.until(/> from one[\s\S]*After\.[\s\S]*> from two[\s\S]*\? help/)
  one.type('from one again\r')
  await one.until(/After\.[\s\S]*> from two[\s\S]*> from one again[\s\S]*More\.[\s\S]*\? help/)
  for (const screen of [one, two]) screen.program.kill('SIGTERM')
  expect(await Promise.all([one.exit, two.exit])).toEqual([143, 143])
  const [, id = ''] = /--resume (\w+)/.exec(one.screen()) ?? []
  const { out } = await world.anode(['threads', 'show', id])
  expect(out).not.toContain('interrupted')
  expect(out.match(/### (?:result|failed)/g)).toHaveLength(1)
}, 30_000)
