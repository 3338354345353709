// The lines that a new conversation shows first, and how Ctrl-D leaves it, on the built program in a pseudo terminal.
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { openScreenWorld } from '../../../support/screen-program.ts'

const titles = ['Fix the first one', 'Fix the second one', 'Fix the third one', 'Fix the fourth one']

it.each(['inline', 'full'] as const)(
  'shows the branch, the last three conversations and a tip on the %s screen, and Ctrl-D leaves at once',
  async (form) => {
    const { model, start, anode, dir } = openScreenWorld([])
    execFileSync('git', ['init', '-q', '-b', 'fix/total'], { cwd: dir })
    for (const columns of [80, 40]) {
      const first = start(['--model', 'builtin/extract', '--screen', form], { columns, rows: 24 })
      await first.until(/^ on fix\/total *\n tip: \S[\s\S]*^ Ask, or say/m)
      expect(first.screen()).not.toContain('earlier conversations')
      first.type('\x04')
      expect(await first.exit).toBe(0)
    }
    for (const title of titles) await anode(['execute', title, '--model', 'builtin/extract', '--quiet'])
    const again = start([...model, '--screen', form])
    await again.until(/on fix\/total; earlier conversations[\s\S]*tip: /)
    const rows = again.screen()
    for (const title of titles.slice(1)) expect(rows).toMatch(new RegExp(`now {2}${title} *$`, 'm'))
    expect(rows).not.toContain(titles[0])
    again.type('\x04')
    expect(await again.exit).toBe(0)
    const narrow = start([...model, '--screen', form], { columns: 40, rows: 24 })
    await narrow.until(/on fix\/total; earlier conversations[\s\S]*now {2}Fix the fourth one[\s\S]*tip: \S/)
    for (const row of narrow.screen().split('\n')) expect(row).not.toMatch(/^ *…/)
    narrow.type('\x04')
    expect(await narrow.exit).toBe(0)
  },
)

it('shows only the tip in a workspace without a repository', async () => {
  const { model, start } = openScreenWorld([])
  const screen = start(model)
  await screen.until(/^ tip: \S/m)
  expect(screen.screen()).not.toMatch(/^ on /m)
  screen.type('\x04')
  expect(await screen.exit).toBe(0)
})

it('shows no earlier conversations to one that is resumed or begins with a message', async () => {
  const { model, start, anode } = openScreenWorld([{ text: 'one answer' }])
  await anode(['execute', 'Fix it', '--model', 'builtin/extract', '--quiet'])
  for (const words of [['--continue'], ['begin']]) {
    const screen = start([...model, ...words])
    await screen.until(/\? help/)
    screen.type('\x04')
    expect(await screen.exit).toBe(0)
    expect(screen.bytes()).not.toContain('earlier conversations')
  }
})
