// Equal screens: after any edits, prints and resizes the printed lines appear once and in order, followed by
// the live rows alone. One emulator wraps rows again, the other truncates them.
import xterm from '@xterm/headless'
import { expect, it } from 'vitest'
import { openCursorReport } from '../../../../internal/tui/terminal/cursor-report.ts'
import { openLivePainter } from '../../../../internal/tui/terminal/live-painter.ts'
import type { ReflowKind } from '../../../../internal/tui/terminal/live-reflow.ts'
import { rng } from '../../../support/rng.ts'
import { rounds } from '../../../support/sample.ts'

const modes = {
  set: () => undefined,
  restore: () => undefined,
  setAlternate: () => undefined,
  setMouse: () => undefined,
  release: () => undefined,
}

function openScreen(kind: ReflowKind, random: () => number) {
  const size = { columns: 40 + pick(random, 61), rows: 20 + pick(random, 20) }
  const terminal = new xterm.Terminal({
    ...{ cols: size.columns, rows: size.rows, scrollback: 5_000, allowProposedApi: true },
    ...(kind === 'cut' && { windowsPty: { backend: 'winpty' as const, buildNumber: 19_000 } }),
  })
  let bytes = ''
  const cursor = openCursorReport((text) => {
    bytes += text
  })
  const painter = openLivePainter(
    {
      modes,
      columns: () => size.columns,
      rows: () => size.rows,
      write: (text) => {
        bytes += text
      },
    },
    kind,
    cursor,
  )
  terminal.onData((sequence) => {
    const found = cursor.read({ kind: 'key', name: '', sequence, burst: false })
    if (found) painter.placed(found)
  })
  const flush = async () => {
    const text = bytes
    bytes = ''
    await new Promise<void>((resolve) => terminal.write(text, resolve))
    return text
  }
  return {
    ...{ painter, flush, size },
    shell: (lines: number) => new Promise<void>((done) => terminal.write('$ ls\r\n'.repeat(lines), done)),
    /** Resizes, and then delivers the output that was written for the old size. */
    async resize(columns: number, rows: number) {
      terminal.resize(columns, rows)
      await flush()
      Object.assign(size, { columns, rows })
      painter.resized()
      // delivers queries and the output after their answers
      for (let i = 0; i < 3; i++) await flush()
      painter.erase()
      await flush()
    },
    /** Returns the lines, with rows that the terminal has wrapped joined again. */
    lines() {
      const { active } = terminal.buffer
      const lines: string[] = []
      for (let i = 0; i < active.length; i++) {
        const line = active.getLine(i)
        const text = line?.translateToString(false, 0, size.columns) ?? ''
        if (line?.isWrapped) lines.push((lines.pop() ?? '') + text)
        else lines.push(text)
      }
      const bare = lines.map((line) => line.trimEnd())
      return bare.slice(0, bare.findLastIndex((line) => line !== '') + 1)
    },
    caretLine: () => terminal.buffer.active.baseY + terminal.buffer.active.cursorY,
  }
}

const pick = (random: () => number, below: number) => Math.floor(random() * below)

function makeFrame(random: () => number, columns: number, step: number) {
  const count = 1 + pick(random, 5)
  const rows = Array.from({ length: count }, (_, i) => {
    const text =
      random() < 0.4 ? '─'.repeat(columns - 1) : `row ${step}.${i} ${'wörter 漢字 '.repeat(pick(random, 5))}`
    return text.slice(0, Math.floor((columns - 1) / 1.4)).trimEnd() || 'x'
  })
  const wide = rows.map((row) => (row.startsWith('─') ? '─'.repeat(columns - 1) : row))
  return { rows: wide, caret: { row: pick(random, count), column: 1 + pick(random, 8) } }
}

/** Returns the next size. `together`: the terminal may get lower and narrower at the same time. */
function nextSize(
  random: () => number,
  { columns, rows }: { columns: number; rows: number },
  together: boolean,
) {
  const width = 40 + pick(random, 61)
  const height = 20 + pick(random, 20)
  if (together || random() < 0.5 || height > rows) return { columns: width, rows: together ? height : rows }
  return { columns, rows: height }
}

async function runScreen(kind: ReflowKind, seed: number, together: boolean, check: Check) {
  const random = rng(seed)
  const screen = openScreen(kind, random)
  const shell = pick(random, 30)
  await screen.shell(shell)
  const printed: string[] = Array.from({ length: shell }, () => '$ ls')
  for (let step = 0; step < 30; step++) {
    for (let i = random() < 0.4 ? 1 + pick(random, 3) : 0; i > 0; i--) {
      const { columns, rows } = nextSize(random, screen.size, together)
      await screen.resize(columns, rows)
    }
    const finished = Array.from({ length: random() < 0.3 ? pick(random, 6) : 0 }, (_, i) =>
      `${step}.${i} ${'printed '.repeat(pick(random, 4))}`.trimEnd(),
    )
    const frame = makeFrame(random, screen.size.columns, step)
    screen.painter.paint({ finished, ...frame })
    expect(await screen.flush()).not.toMatch(/\x1b\[[23]J/)
    printed.push(...finished)
    check(screen.lines(), { printed, live: frame.rows }, `seed ${seed}, step ${step}`)
  }
}

type Check = (lines: string[], wanted: { printed: string[]; live: string[] }, at: string) => void

it.each(['lines', 'cut'] as const)('prints once, with only live rows below (%s)', async (kind) => {
  for (let seed = 1; seed <= rounds(6, 200); seed++)
    await runScreen(kind, seed, kind === 'cut', (lines, { printed, live }, at) => {
      // this emulator keeps truncated rows in the scrollback, where they cannot be rewritten
      const seen = (line: string) => (kind === 'cut' ? line.slice(0, 40).trimEnd() : line)
      expect(lines.map(seen), at).toEqual([...printed, ...live].map(seen))
    })
})

it('erases no printed line if a terminal gets lower and narrower at once', async () => {
  for (let seed = 1; seed <= rounds(6, 200); seed++)
    await runScreen('lines', seed, true, (lines, { printed }, at) => {
      const left = lines.filter((line) => /^(?:\$ ls|\d+\.\d)/.test(line))
      expect(left, at).toEqual(printed)
    })
})

it.each(['lines', 'cut'] as const)('loses no printed line if a frame comes late (%s)', async (kind) => {
  let doubled = 0
  for (let seed = 1; seed <= rounds(10, 200); seed++) {
    const random = rng(seed)
    const screen = openScreen(kind, random)
    const printed: string[] = []
    for (let step = 0; step < 30; step++) {
      const finished = Array.from({ length: random() < 0.5 ? 1 + pick(random, 3) : 0 }, (_, i) =>
        `${step}.${i} ${'printed '.repeat(pick(random, kind === 'cut' ? 4 : 9))}`
          .trimEnd()
          .slice(0, screen.size.columns - 1),
      )
      screen.painter.paint({ finished, ...makeFrame(random, screen.size.columns, step) })
      printed.push(...finished)
      if (random() < 0.6) await screen.flush()
      if (random() < 0.4) await screen.resize(...oneSize(random, screen.size))
    }
    await screen.flush()
    const bare = (line: string) => line.slice(0, kind === 'cut' ? 40 : undefined).trimEnd()
    const seen = screen
      .lines()
      .filter((line) => /^\d+\.\d/.test(line))
      .map(bare)
    const once = [...new Set(seen)]
    doubled += seen.length - once.length
    expect(once, `seed ${seed}`).toEqual(printed.map(bare))
  }
  expect(doubled).toBe(0)
})

it('starts a new row when it prints over the rest of a row that the terminal has wrapped', async () => {
  const screen = openScreen('lines', rng(1))
  const rows = ['─'.repeat(screen.size.columns - 1), 'text']
  screen.painter.paint({ finished: [], rows, caret: { row: 1, column: 2 } })
  await screen.flush()
  // two frames are in progress when it gets narrower
  screen.painter.paint({ finished: ['printed first', 'printed next'], rows, caret: { row: 1, column: 3 } })
  screen.painter.paint({ finished: ['printed last'], rows, caret: { row: 1, column: 4 } })
  await screen.resize(screen.size.columns - 10, screen.size.rows)
  const seen = screen.lines().filter((line) => line.includes('printed'))
  expect(seen).toEqual(['printed first', 'printed next', 'printed last'])
})

it('shows every row of a page at every size of the terminal', async () => {
  const random = rng(1)
  const screen = openScreen('lines', random)
  for (let step = 0; step < 20; step++) {
    const { columns, rows } = screen.size
    const page = Array.from({ length: rows }, (_, i) => `${step} row ${i} of ${rows}`)
    screen.painter.paint({ isPage: true, finished: [], rows: page })
    const text = await screen.flush()
    expect(screen.lines(), `step ${step}, ${columns}x${rows}`).toEqual(page)
    expect(text).not.toMatch(/\x1b\[[23]J/)
    await screen.resize(20 + pick(random, 100), 6 + pick(random, 40))
  }
})

/**
 * Returns another width or height, never both, because the emulator then moves its cursor by rows that
 * it has dropped.
 */
const oneSize = (
  random: () => number,
  { columns, rows }: { columns: number; rows: number },
): [number, number] => (random() < 0.7 ? [40 + pick(random, 61), rows] : [columns, 14 + pick(random, 26)])

const carets = [
  ['text', 0, '\x1b[7mt\x1b[27mext'],
  ['text', 4, 'text\x1b[7m \x1b[27m'],
  ['text', 6, 'text  \x1b[7m \x1b[27m'],
  ['\x1b[2mte\x1b[0mxt', 2, '\x1b[2mte\x1b[0m\x1b[7mx\x1b[27mt'],
  ['日本', 2, '日\x1b[7m本\x1b[27m'],
] as const

it.each(carets)(
  'parks the cursor of a moving frame at its start, and marks %j at %i',
  (row, column, marked) => {
    let bytes = ''
    const write = (text: string) => {
      bytes += text
    }
    const io = { modes, columns: () => 40, rows: () => 20, write }
    const cursor = { ask: () => write('asked'), askKept: () => write('asked') }
    const painter = openLivePainter(io, 'text', cursor)
    const frame = { finished: [], rows: ['open', row, 'end'], caret: { row: 1, column } }
    painter.paint({ ...frame, isMoving: true })
    expect(bytes).toContain(marked)
    expect(bytes.endsWith('end\x1b[2A\r\x1b[?7h\x1b[?2026l')).toBe(true)
    expect(painter.shownRows()).toMatchObject({ rows: { length: 3 }, row: 0, column: 0 })
    painter.resized()
    expect(bytes).not.toContain('asked')
    bytes = ''
    painter.erase()
    expect(bytes).toBe('\x1b[?2026h\x1b[?25l\r\x1b[K\x1b[C\x1b[J\r\x1b[?7h\x1b[?25h\x1b[?2026l')
    painter.paint(frame)
    expect(bytes).not.toContain('\x1b[7m')
    expect(painter.shownRows()).toMatchObject({ rows: { length: 3 }, row: 1, column })
  },
)
