// Colors of code on a terminal: in answers, diffs and approvals of the built program, and nowhere without colors.
import { describe, expect, it } from 'vitest'
import { openScreenWorld, typeLine } from '../support/screen-program.ts'

const answer = 'Done:\n\n```ts\n/* one\ntwo */ const total = 1\n```\n'
const replies = [
  { calls: [{ name: 'edit_file', args: { path: 'a.ts', edits: [{ old: 'old = 1', new: 'fresh = 1' }] } }] },
  { text: answer },
]
const execute = ['execute', 'go', '--approval', 'edits']
const open = () => {
  const here = openScreenWorld(replies)
  here.put('a.ts', 'const same = 0\nconst old = 1\n')
  return here
}
const wholeEnd = /tokens {2}/

describe('execute', () => {
  it('colors the code of answers, and the lines of a diff', async () => {
    const here = open()
    const screen = here.start([...execute, ...here.model])
    expect(await screen.exit).toBe(0)
    const bytes = screen.bytes()
    // a comment continues over the lines of a stream
    expect(bytes).toContain('\x1b[2mtwo */\x1b[22m \x1b[35mconst\x1b[39m total = \x1b[33m1\x1b[39m')
    // an unchanged line has colors, a changed one stays green with a bold keyword
    expect(bytes).toContain('\x1b[35mconst\x1b[39m same = ')
    expect(bytes).toContain('\x1b[32m\x1b[1mconst\x1b[22m')
    expect(screen.screen()).toContain('two */ const total = 1')
  })

  it.each([
    [{ NO_COLOR: '1' }, []],
    [{ TERM: 'dumb' }, []],
  ])('has no colors with %j', async (env, words) => {
    const here = open()
    const screen = here.start([...execute, ...here.model, ...words], {}, env)
    expect(await screen.exit).toBe(0)
    expect(screen.screen()).toMatch(wholeEnd)
    expect(screen.bytes()).not.toMatch(/\x1b\[(?:1|2|3\d)m/)
  })

  it('has no colors in a pipe', async () => {
    const here = open()
    const { out, err } = await here.anode([...execute, ...here.model])
    expect(out).toContain('const total = 1')
    expect(out + err).not.toContain('\x1b')
  })
})

describe('session', () => {
  it('colors the command of an approval', async () => {
    const command = 'if true; then mkdir "$PWD/made"; fi'
    const here = openScreenWorld([{ calls: [{ name: 'bash', args: { command } }] }, ...replies])
    const screen = here.start(['--approval', 'ask', ...here.model])
    await screen.until(/Ask, or say/)
    await typeLine(screen, 'go')
    await screen.until(/│ if true/)
    expect(screen.bytes()).toContain('\x1b[35mif\x1b[39m')
  })

  it('colors the diff of a call, and the code of an answer', async () => {
    const here = open()
    const screen = here.start([...here.model])
    await screen.until(/Ask, or say/)
    await typeLine(screen, 'go')
    await screen.until(/two \*\/ const total/)
    expect(screen.bytes()).toContain('\x1b[35mconst\x1b[39m same = ')
    expect(screen.bytes()).toContain('\x1b[2mtwo */\x1b[22m \x1b[35mconst\x1b[39m total = ')
  })
})
