// A study on a terminal: its question to the user, and the text that stays on the screen.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type World, world } from '../../support/anode.ts'
import { anodeLine, openTerminal } from '../../support/tmux.ts'

let at: World
beforeAll(() => {
  at = world()
  at.put('doc/lock.md', '# Locks\n\nThe store locks files with O_EXCL. A lock is held for 30 seconds.\n')
})
afterAll(() => at.remove())

const open = (columns: number, env: Record<string, string>, ...words: string[]) =>
  openTerminal(anodeLine('study', ...words), {
    cwd: at.dir,
    env: { HOME: join(at.dir, '..'), ANODE_DATA_DIR: at.data, ...env },
    columns,
    rows: 60,
  })
const rows = (screen: string[]) => screen.map((row) => row.trimEnd())

describe('a single word', () => {
  it.each(['n', 'C-c'])(
    'is not studied after the answer %s',
    async (key) => {
      const terminal = open(80, {}, 'lock')
      await terminal.until(/Study the one word "lock"\?/)
      terminal.press(key)
      expect(await terminal.exit()).toBe(4)
      await terminal.until(/nothing was started/)
      expect((await at.anode(['study', 'list'])).err).toContain('No studies here yet')
    },
    60_000,
  )

  it('is studied after the answer yes', async () => {
    const terminal = open(80, {}, 'lock', '--quiet')
    await terminal.until(/Study the one word/)
    terminal.press('y')
    expect([0, 3]).toContain(await terminal.exit())
    expect((await at.anode(['study', 'list'])).out).toMatch(/ lock$/m)
  }, 60_000)
})

it.each([
  [40, {}],
  [80, {}],
  [120, { NO_COLOR: '1' }],
] as const)(
  'the answer is drawn in %i columns, and no status line stays',
  async (columns, env) => {
    const terminal = open(columns, env, 'What does the store lock files with?')
    expect(await terminal.exit()).toBeLessThan(4)
    const screen = rows(await terminal.until(/anode study\s+report \w{10}/))
    const [answer, sources] = [screen.indexOf('Answer'), screen.indexOf('Sources')]
    const head = screen.findIndex((row) => row.startsWith('study '))
    const last = screen.findIndex((row) => row.startsWith('verify '))
    expect([head, answer, sources, last].every((row) => row >= 0)).toBe(true)
    expect([head, answer, sources, last]).toEqual([head, answer, sources, last].toSorted((a, b) => a - b))
    expect(screen.slice(sources + 1, last).filter(Boolean)).toEqual([
      '[1] doc/lock.md:1-3',
      expect.stringMatching(/^read 1 file, 75 bytes, \d+\.\d s$/),
    ])
    expect(screen.join('\n')).not.toMatch(/^(?:plan|t1) |##/m)
    const answered = terminal.bytes().slice(terminal.bytes().lastIndexOf('Answer'))
    expect(/\x1b\[\d*m/.test(answered)).toBe(columns !== 120)
  },
  60_000,
)

it.each([
  [40, 2],
  [60, 2],
  [80, 1],
])(
  'in %i columns a list uses this number of lines per study: %i',
  async (columns, count) => {
    await at.anode(['study', 'What does the store lock files with, and why? '.repeat(3), '--quiet'])
    const terminal = open(columns, {}, 'list', '--limit', '1')
    expect(await terminal.exit()).toBe(0)
    const screen = rows(await terminal.until(/…/)).filter((row) => row !== '' && !row.startsWith('Pane is'))
    const listed = screen.filter((row) => !row.startsWith('study '))
    expect(listed).toHaveLength(count)
    expect(listed[0]).toMatch(/^\w{10} +[\d-]{10} \d\d:\d\d +(?:found|partial)/)
    expect(listed.at(-1)).toMatch(/ What does the store.*…$/)
  },
  60_000,
)

it.each([24, 60])(
  'leaves no copy of its status in the scrollback of tmux with %i rows',
  async (height) => {
    // the status begins on the first row, as after `clear`
    const line = `printf '\\033[H\\033[2J'; ${anodeLine('study', 'How long is a lock held?')}`
    const terminal = openTerminal(line, {
      cwd: at.dir,
      env: { HOME: join(at.dir, '..'), ANODE_DATA_DIR: at.data },
      rows: height,
    })
    expect(await terminal.exit()).toBeLessThan(4)
    expect(terminal.bytes()).toContain('left')
    await terminal.until(/anode study\s+report \w{10}/)
    expect(terminal.lines().match(/^How long is a lock held\?$|\d left/gm)).toBeNull()
  },
  60_000,
)
