// A build on a terminal of 80 x 24: its board in place, the same board in another process, and plain lines.
import { describe, expect, it } from 'vitest'
import { planText, putModules, renameTask } from '../../support/build.ts'
import { openScreenWorld, type ScreenWorld } from '../../support/screen-program.ts'

const columns = 80
/** A task that ends only with its build. */
const endless = renameTask('b', { run: 'sleep 600', after: ['a'] })
const waiting = renameTask('c', { scope: ['src/b/**', 'src/c/**'] })

function begin(tasks: readonly Parameters<typeof planText>[0][number][]): ScreenWorld {
  const here = openScreenWorld([])
  putModules(here, ['a', 'b', 'c'])
  here.put('../plan.json', planText(tasks))
  return here
}

const words = ['build', '--plan', '../plan.json']
const board = new RegExp(
  [
    String.raw`^Rename\n`,
    String.raw`build 01\w{8}  anode/build/01\w{24}\n`,
    String.raw`✔ a  merged   command +\d.*  [0-9a-f]{10}\n`,
    String.raw`• b  running  command +\d.*  sleep 600\n`,
    String.raw`  c  waiting +waits for b\n`,
    String.raw`queue  empty\n`,
    String.raw`running  \d.*  1 of 3 tasks merged\n`,
  ].join(''),
  'm',
)

describe('a build on a terminal', () => {
  it('draws a row for each task in place, here and in another process', async () => {
    const here = begin([renameTask('a'), endless, waiting])
    const screen = here.start(words, { columns })
    await screen.until(board, 60_000)
    const other = here.start(['build', 'watch'], { columns })
    await other.until(board, 60_000)
    for (const one of [screen, other]) {
      expect(one.lines().match(/^Rename$/gm)).toHaveLength(1)
      expect(one.bytes()).not.toMatch(/\x1b\[\?1049h|\x1b\[2J/)
    }
    await screen.resize(50, 24)
    const narrow = () => /^queue {2}empty$/m.test(screen.rows()) && /^running.*merged$/m.test(screen.rows())
    await screen.until(narrow, 60_000)
    expect(screen.lines().match(/^Rename$/gm)).toHaveLength(1)
    screen.type('\x03')
    screen.type('\x03')
    expect(await screen.exit).toBe(130)
    // the watching process also ends, because no process leads the build any more
    expect(await other.exit).toBe(0)
    expect(other.screen()).not.toMatch(/^queue {2}empty/m)
    expect(other.screen()).toMatch(/its process is gone: anode build resume/)
  }, 120_000)

  it('leaves the status and the reasons of reopened tasks', async () => {
    const change = (id: string) => renameTask(id, {}, `- ${id}`)
    const here = begin(['a', 'b', 'c'].map(change))
    const screen = here.start(words, { columns })
    expect(await screen.exit).toBe(0)
    const left = screen.screen()
    expect(left.match(/^[abc] {2}reopened \(conflict\)/gm)?.length).toBeGreaterThan(0)
    expect(left.match(/^[abc] +merged/gm)).toHaveLength(3)
    expect(left).not.toMatch(/^(?:queue|running) /m)
  }, 120_000)

  it.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['a dumb terminal', { TERM: 'dumb' }],
  ])(
    'prints plain lines with %s',
    async (_, env) => {
      const here = begin([renameTask('a')])
      const screen = here.start(words, { columns }, env)
      expect(await screen.exit).toBe(0)
      expect(screen.bytes()).not.toMatch(/\x1b\[/)
      expect(screen.screen()).toMatch(/^a {2}running {2}attempt 1\na {2}queued\na {2}merging/m)
    },
    60_000,
  )

  it('prints JSON lines with --json', async () => {
    const here = begin([renameTask('a')])
    const screen = here.start([...words, '--json'], { columns: 500 })
    expect(await screen.exit).toBe(0)
    const lines = screen.bytes().replaceAll('\r\n', '\n').trimEnd().split('\n')
    const entries = lines.slice(0, -1).map((line) => JSON.parse(line))
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1))
    expect(entries.at(-1)).toMatchObject({ kind: 'build.ended' })
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ end: 'done', deadline: null, usd: 0 })
  }, 60_000)
})
