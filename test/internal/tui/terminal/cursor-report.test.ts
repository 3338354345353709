// Answers of a terminal, distinguished from keys, and used to detect that a frame was drawn.
import { expect, it } from 'vitest'
import { openCursorReport, openFrameTiming } from '../../../../internal/tui/terminal/cursor-report.ts'

const key = (sequence: string) => ({ kind: 'key', name: '', sequence, burst: false }) as const
const rows = (column: number) => ({ rows: ['text'], row: 0, column })

it('treats a sequence as an answer only if one was requested, because Shift-F3 looks the same', async () => {
  let bytes = ''
  const report = openCursorReport((text) => {
    bytes += text
  })
  expect(report.read(key('\x1b[1;2R'))).toBeUndefined()
  report.ask()
  report.askKept({ row: 4, column: 2 })
  expect(bytes).toBe('\x1b[6n\x1b8\x1b[6n\x1b[5;3H')
  expect(report.read(key('a'))).toBeUndefined()
  expect(report.read(key('\x1b[7;9R'))).toEqual({ row: 6, column: 8 })
  const settled = report.settle(10_000)
  expect(report.read(key('\x1b[1;2R'))).toEqual({ row: 0, column: 1 })
  await settled
  expect(report.read(key('\x1b[1;2R'))).toBeUndefined()
})

const answers = [
  [[3], 'before', 'the cursor stands where it was put'],
  [[0, 1], 'after', 'the frame came late, the one before it in time'],
  [[0, 0], 'unknown', 'both came late'],
  [[], 'unknown', 'nothing was answered'],
] as const

it.each(answers)('columns %j mean %s: %s', (columns, time) => {
  const size = { columns: 60, rows: 20 }
  const asked: string[] = []
  const cursor = { ask: () => void asked.push('cursor'), askKept: () => void asked.push('kept') }
  const timing = openFrameTiming(() => size, 'text', cursor)
  expect(timing.take().time).toBe('before')
  timing.resized()
  timing.resized()
  for (const column of columns) timing.placed({ row: 5, column }, rows(3), rows(1))
  expect(timing.take()).toEqual({ time, sizes: [size, size, size] })
  expect(asked).toEqual(columns.length > 1 ? ['cursor', 'kept'] : ['cursor'])
})
