// The rows that are drawn in their place equal a screen that is drawn whole: a real emulator holds both.
import { Writable } from 'node:stream'
import xterm from '@xterm/headless'
import { expect, it } from 'vitest'
import { liveFrame } from '../../../../internal/tui/terminal/live-frame.ts'
import {
  eraseLiveRows,
  type LiveRows,
  noLiveRows,
  type PageFrame,
  unknownRow,
  writeLiveRows,
  writeWholeScreen,
} from '../../../../internal/tui/terminal/screen-writer.ts'
import { rng } from '../../../support/rng.ts'
import { rounds } from '../../../support/sample.ts'
import { scratchWith } from '../../../support/scratch.ts'
import { openTerminal } from '../../../support/tmux.ts'

type Emulator = InstanceType<typeof xterm.Terminal>

const open = (cols: number, rows: number) =>
  new xterm.Terminal({ cols, rows, scrollback: 5_000, allowProposedApi: true })

const write = (terminal: Emulator, bytes: string) =>
  new Promise<void>((resolve) => terminal.write(bytes, resolve))

/** Returns all lines with the scrollback, without empty ones at the end. */
function linesOf({ buffer: { active } }: Emulator): string[] {
  const lines = Array.from(
    { length: active.length },
    (_, i) => active.getLine(i)?.translateToString(true) ?? '',
  )
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
}

const words = [
  'read',
  'cart.ts',
  '88 lines',
  '─────',
  '漢字',
  '👍',
  'é',
  '\x1b[1mbold\x1b[0m',
  '  ',
  '│',
  'x',
]

function makeRow(random: () => number, columns: number): string {
  const count = Math.floor(random() * 6)
  const row = Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ')
  return row.replace(/\x1b\[\d+m/g, '').length > columns - 8 ? 'short' : row
}

it('shows after any changes what a screen shows that is drawn whole', async () => {
  for (let seed = 1; seed <= rounds(6, 200); seed++) {
    const random = rng(seed)
    const columns = 30 + Math.floor(random() * 60)
    const height = 8 + Math.floor(random() * 20)
    const terminal = open(columns, height)
    const finished: string[] = []
    let live: LiveRows = noLiveRows
    for (let step = 0; step < 25; step++) {
      const fresh = Array.from({ length: random() < 0.3 ? Math.floor(random() * 12) : 0 }, () =>
        makeRow(random, columns),
      )
      const kept = live.rows.filter(() => random() < 0.8)
      const more = Array.from({ length: Math.floor(random() * 4) }, () => makeRow(random, columns))
      const rows = [...kept.map((row) => (random() < 0.3 ? `${row}z` : row)), ...more].slice(
        0,
        random() < 0.1 ? 0 : height - 1,
      )
      const caret = rows.length > 0 ? { row: Math.floor(random() * rows.length), column: 1 } : undefined
      const { bytes, after } = writeLiveRows(live, fresh, { rows, caret }, columns)
      await write(terminal, bytes)
      finished.push(...fresh)
      live = after
      const whole = open(columns, height)
      await write(whole, [...finished, ...rows].join('\r\n'))
      expect(linesOf(terminal), `seed ${seed}, step ${step}`).toEqual(linesOf(whole))
      const { baseY, cursorY } = terminal.buffer.active
      if (caret) expect(baseY + cursorY).toBe(finished.length + caret.row)
    }
  }
})

it('writes nothing when nothing has changed, and of a longer row the new end alone', () => {
  const frame = { rows: ['one', 'two'], caret: { row: 1, column: 3 } }
  const first = writeLiveRows(noLiveRows, [], frame, 80)
  expect(writeLiveRows(first.after, [], frame, 80).bytes).toBe('')
  const { bytes } = writeLiveRows(first.after, [], { ...frame, rows: ['one', 'two, three'] }, 80)
  expect(bytes).toContain(', three')
  expect(bytes).not.toContain('two')
})

/** Returns rows, each of them with its own letter, of which some are almost as wide as the terminal. */
const makeWideRows = (random: () => number, columns: number) =>
  Array.from({ length: 1 + Math.floor(random() * 9) }, (_, i) =>
    String.fromCharCode(97 + i).repeat(1 + Math.floor(random() * (columns - 1))),
  )

/** Returns the bytes of two writers that draw the same frames one after the other. */
const writers = {
  'live rows': (frames: readonly string[][], columns: number) => {
    let live: LiveRows = noLiveRows
    return frames.map((rows) => {
      const { bytes, after } = writeLiveRows(live, [], { rows }, columns)
      live = after
      return bytes
    })
  },
  'a dialog': (frames: readonly string[][], columns: number) => {
    const bytes: string[] = []
    const write = (chunk: Buffer, _: string, done: () => void) => {
      bytes.push(String(chunk))
      done()
    }
    const frame = liveFrame(Object.assign(new Writable({ write }), { columns, rows: 24 }))
    for (const rows of frames) frame.draw(rows)
    return bytes.map((text) => text.replaceAll('\n', '\r\n'))
  },
}

it.each(Object.keys(writers) as (keyof typeof writers)[])(
  'leaves no erased cells in a row of %s that became shorter, which a narrower tmux would break',
  async (name) => {
    const [columns, narrow] = [80, 40]
    for (let seed = 1; seed <= rounds(3, 40); seed++) {
      const random = rng(seed)
      const frames = Array.from({ length: 10 }, () => makeWideRows(random, columns))
      const last = [...makeWideRows(random, columns), 'END']
      const dir = scratchWith({ output: writers[name]([...frames, last], columns).join('') })
      const env = { PATH: process.env.PATH ?? '' }
      const screen = openTerminal('clear; stty raw -echo; cat output; sleep 100', { cwd: dir, env })
      await screen.until(/^END/m)
      screen.resize(narrow, 24)
      await screen.until((text) => text.split('\n').every((row) => row.length <= narrow))
      // tmux joins the parts of a broken row, with the spaces that it still counts in the row.
      expect(screen.lines().trimEnd().split('\n'), `seed ${seed}`).toEqual(last)
    }
  },
)

it('never clears the screen or its scrollback', () => {
  const many = Array.from({ length: 50 }, (_, i) => `row ${i}`)
  const { bytes, after } = writeLiveRows(noLiveRows, many, { rows: many }, 80)
  const all = bytes + writeLiveRows(after, [], { rows: [] }, 80).bytes + eraseLiveRows(3)
  expect(all).not.toMatch(/\x1b\[[23]J/)
})

it('draws a page row by row, each at its place', async () => {
  const terminal = open(40, 6)
  await write(terminal, writeWholeScreen({ rows: [] }, { rows: ['a', 'b', 'c'] }))
  await write(terminal, writeWholeScreen({ rows: ['a', 'b', 'c'] }, { rows: ['a', 'B'] }))
  expect(linesOf(terminal)).toEqual(['a', 'B'])
  expect(writeWholeScreen({ rows: ['a', 'B'] }, { rows: ['a', 'B'] })).toBe('')
})

it('shows after any changes of a page with a pane what a page shows that is drawn whole', async () => {
  for (let seed = 1; seed <= rounds(3, 200); seed++) {
    const random = rng(seed)
    const columns = 60 + Math.floor(random() * 60)
    const height = 8 + Math.floor(random() * 12)
    const terminal = open(columns, height)
    let page: PageFrame = { rows: Array.from({ length: height }, () => unknownRow) }
    for (let step = 0; step < 25; step++) {
      const column = random() < 0.2 ? undefined : columns - 20
      const isKept = (row: string | undefined) => row !== undefined && random() < 0.7
      const rows = Array.from({ length: height }, (_, i) => {
        const old = page.rows[i]
        return isKept(old) && old !== unknownRow
          ? `${old}`.slice(0, 30)
          : makeRow(random, (column ?? columns) - 2)
      })
      const sides = Array.from({ length: height - 1 }, (_, i) => {
        const old = page.pane?.rows[i]
        return isKept(old) ? String(old) : `| ${makeRow(random, 16)}`.slice(0, 14)
      })
      const pane = column === undefined ? undefined : { column, rows: sides }
      const frame: PageFrame = { rows, pane, caret: { row: 1, column: 2 } }
      await write(terminal, writeWholeScreen(page, frame))
      page = frame
      const whole = open(columns, height)
      const nothing = Array.from({ length: height }, () => unknownRow)
      await write(whole, writeWholeScreen({ rows: nothing }, frame))
      expect(linesOf(terminal), `seed ${seed}, step ${step}`).toEqual(linesOf(whole))
      expect(terminal.buffer.active.cursorY).toBe(1)
    }
  }
})
