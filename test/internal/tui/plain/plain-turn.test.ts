// A line answers what its typist can have read: none that came before the question, however late it is taken.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openPlain } from '../../../support/plain.ts'
import { untilAnswerable } from '../../../support/waiting.ts'

const bash = (command: string) => ({ calls: [{ name: 'bash', args: { command } }] })
const replies = [bash('until [ -e go ]; do sleep 0.1; done'), bash('touch ran'), { text: 'That was all.' }]

it('a line that waited for another one answers no question that came meanwhile', async () => {
  let isAsked = false
  let found: (picture: { mime: string; base64: string }) => void = () => undefined
  const readPicture = () =>
    new Promise<{ mime: string; base64: string }>((resolve) => {
      found = resolve
      isAsked = true
    })
  const at = await openPlain(replies, { mode: 'ask', readPicture })
  await at.say('begin', /1 [\s\S]*until/)
  await at.answer('1', /bash started/)
  const asks = expect.poll(() => at.printed(), { timeout: 30_000 }).toMatch(/touch ran[\s\S]*1 /)
  const late = at.say('/image a.png\n1', /a question came while you typed/)
  await expect.poll(() => isAsked, { timeout: 30_000 }).toBe(true)
  writeFileSync(join(at.cwd, 'go'), '')
  await asks
  await untilAnswerable('line')
  found({ mime: 'image/png', base64: '' })
  await late
  expect(existsSync(join(at.cwd, 'ran'))).toBe(false)
  await at.answer('1', /That was all\./)
  expect(existsSync(join(at.cwd, 'ran'))).toBe(true)
  await at.close()
})

it.each(['2', '3', '3 1', '7', '12'])(
  'rejects %j as the answer to a call that can be allowed only once',
  async (line) => {
    const write = { calls: [{ name: 'create_file', args: { path: 'anode.json', content: '{}' } }] }
    const at = await openPlain([write, { text: 'That was all.' }], { mode: 'ask' })
    await at.say('begin', /1 allow once {2}4 deny/)
    await at.answer(line, /1 allow once {2}4 deny/)
    expect(existsSync(join(at.cwd, 'anode.json'))).toBe(false)
    await at.answer('4', /That was all\./)
    expect(at.printed()).not.toContain('taken at the next step')
    expect(existsSync(join(at.cwd, 'anode.json'))).toBe(false)
    await at.close()
  },
)

it('a question that came while an editor had the terminal is not answered by what was typed there', async () => {
  let isOpen = false
  let close: () => void = () => undefined
  const editText = () =>
    new Promise<undefined>((resolve) => {
      close = () => resolve(undefined)
      isOpen = true
    })
  const at = await openPlain(replies, { mode: 'ask', editText })
  await at.say('begin', /1 [\s\S]*until/)
  await at.answer('1', /bash started/)
  const late = at.say('/editor\n1', /a question came while you typed/)
  await expect.poll(() => isOpen, { timeout: 30_000 }).toBe(true)
  writeFileSync(join(at.cwd, 'go'), '')
  await at.session.until(({ waits }) => waits.some(({ args }) => args?.['command'] === 'touch ran'), 'it')
  await untilAnswerable('line')
  close()
  await late
  expect(existsSync(join(at.cwd, 'ran'))).toBe(false)
  await at.answer('1', /That was all\./)
  await at.close()
})
