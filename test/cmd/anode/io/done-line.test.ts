// What commands print that have changed something: a line, or with --json the object that says the same.
import { expect, it, onTestFinished } from 'vitest'
import { world } from '../../../support/anode.ts'

const key = 'protectedDirs'
const done: [words: readonly string[], text: RegExp, data: object][] = [
  [['config', 'set', key, '["data"]'], /protectedDirs is set in /, { key }],
  [['serve', 'stop'], /^no server runs\n$/, { stopped: false }],
  [['serve', 'token'], /^\S+\n$/, { scope: 'read' }],
  [['mcp', 'add', 'one', '--', 'true'], /one is added to [\s\S]*Next: /, { server: 'one', scope: 'user' }],
  [['cron', 'disable', 'daily'], /^daily is off\n$/, { job: 'daily', enabled: false, next: null }],
  [['cron', 'enable', 'daily'], /^daily is on, next at /, { job: 'daily', enabled: true }],
  [['config', 'doctor'], /passed/, []],
]

it.each(done)('%j', async (words, text, data) => {
  const at = world()
  onTestFinished(() => at.remove())
  if (words[0] === 'cron') {
    const job = ['0 9 * * *', '--execute', 'Look around', '--name', 'daily']
    expect(await at.anode(['cron', 'add', ...job])).toMatchObject({ code: 0 })
  }
  expect(await at.anode([...words])).toMatchObject({ code: 0, out: expect.stringMatching(text) })
  if (words[0] === 'mcp') await at.anode(['mcp', 'remove', 'one', '--yes'])
  const ends = words.includes('--') ? words.indexOf('--') : words.length
  const { code, out } = await at.anode([...words.slice(0, ends), '--json', ...words.slice(ends)])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject(data)
})
