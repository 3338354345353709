// The examples of the manual, run unchanged: at most 40 lines each, through the built program.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type World, world } from '../../support/anode.ts'
import { root } from '../../support/sources.ts'

const dir = join(root, 'manual', 'examples', 'plugins')

function prepared(): World {
  const at = world()
  onTestFinished(() => at.remove())
  const paths = readdirSync(dir).map((name) => join(dir, name))
  at.put('../.config/anode/config.json', JSON.stringify({ plugins: { paths } }))
  return at
}

test.each(readdirSync(dir))('%s has at most 40 lines', (name) => {
  expect(readFileSync(join(dir, name), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

test('lists the tools with their origin, and runs them', async () => {
  const at = prepared()
  const { out } = await at.anode(['tools', 'list', '--json'])
  const rows = (JSON.parse(out) as { name: string; origin: string; level: string }[]).filter(({ origin }) =>
    origin.startsWith('plugin'),
  )
  expect(rows.map(({ name, origin, level }) => [name, origin, level])).toEqual([
    ['plugin__careful__count', 'plugin careful', 'auto_read'],
    ['plugin__clock__now', 'plugin clock', 'auto_read'],
  ])
  const count = await at.anode(['tools', 'use', 'plugin__careful__count', '--arg', 'text=one two three'])
  expect(count).toMatchObject({ code: 0, out: '3 words\n' })
  const clock = await at.anode(['tools', 'use', 'plugin__clock__now', '--arg', 'zone=Europe/Berlin'])
  expect(clock.out).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d\+0[12]:00\n$/)
  const nowhere = await at.anode(['tools', 'use', 'plugin__clock__now', '--arg', 'zone=Nowhere'])
  expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('no such zone') })
})

test('applies its veto to every call, also to one that the user has approved', async () => {
  const at = prepared()
  const push = ['tools', 'use', 'bash', '--arg', 'command=git push', '--allow-non-read']
  expect(await at.anode(push)).toMatchObject({
    code: 4,
    err: expect.stringContaining('pushing is done by people'),
  })
  const echo = await at.anode(['tools', 'use', 'bash', '--arg', 'command=echo fine', '--allow-non-read'])
  expect(echo.out).toContain('fine')
})

test('its log has the end of a run', async () => {
  const at = prepared()
  at.put(
    '../.config/anode/config.json',
    JSON.stringify({ plugins: { paths: [join(dir, 'careful.mjs')] }, shell: { env: ['CAREFUL_LOG'] } }),
  )
  at.put('notes.md', 'A plugin writes the end of each run to its log.\n')
  const log = join(at.dir, 'log')
  const { code } = await at.anode(
    ['execute', 'What does a plugin write to its log?', '--model', 'builtin/extract'],
    {
      env: { CAREFUL_LOG: log },
    },
  )
  expect(code).toBe(0)
  expect(existsSync(log) && readFileSync(log, 'utf8')).toMatch(/^sess_\w+ done\n$/)
})
