import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { CommandOutput } from '../../../cmd/anode/io/command-output.ts'
import { openView } from '../../../cmd/anode/study/output/progress-view.ts'
import type { CommandIo } from '../../../cmd/anode/verb.ts'
import { makeStudyEntry } from '../../../internal/study/log/entries.ts'
import { finished, lines } from '../../support/study.ts'

const log = lines([...finished(), makeStudyEntry('status', { status: 'partial', reason: 'gaps' })])

/** Returns a stream that records its text. With `isTTY` it is a terminal of 60 columns and 20 rows. */
function sink(isTTY: boolean): CommandOutput & { text(): string } {
  let text = ''
  return {
    isTTY,
    columns: isTTY ? 60 : undefined,
    draw: (more: string) => {
      text += more
    },
    write: (more: string) => {
      text += more
    },
    stream: { rows: 20 } as NodeJS.WriteStream,
    text: () => text,
  }
}
const io = { env: { NO_COLOR: '1' } } as unknown as CommandIo

describe('in a pipe', () => {
  it('prints one line for each change', () => {
    const out = sink(false)
    const view = openView(io, { out, form: 'auto' })
    for (const line of log) view.line(line)
    view.note('by the way')
    view.end()
    expect(
      out
        .text()
        .split('\n')
        .map((line) => line.slice(0, 7).trim()),
    ).toEqual(['study 0', 'plan', '', 't1   fo', 't2   pa', 'verify', 'report', 'by the', ''])
    expect(out.text()).not.toContain('\x1b')
  })

  it('prints only the new entries of a resumed study', () => {
    const out = sink(false)
    const view = openView(io, { out, form: 'auto' })
    for (const [i, line] of log.entries()) view.line(line, i < log.length - 1)
    expect(out.text()).toMatch(/^verify .*\nreport .*\n$/)
  })
})

it('leaves only important lines on a terminal, next to the answer', () => {
  const out = sink(true)
  const view = openView(io, { out, form: 'auto', answers: true })
  for (const line of log) view.line(line)
  view.note('by the way')
  view.end()
  const left =
    out
      .text()
      .split(/\x1b\[\d+A\r\x1b\[K\x1b\[C\x1b\[J\r/)
      .at(-1) ?? ''
  expect(left).toMatch(/^study [\s\S]*\nby the way\n$/)
  expect(left).not.toMatch(/^(?:plan|t1|t2|verify|report)/m)
})

it('reports the search for files if the search takes time', () => {
  const out = sink(false)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const view = openView(io, { out, form: 'auto' })
  vi.advanceTimersByTime(450)
  view.reading(0, 0)
  expect(out.text()).toBe('looking for files\n')
})

it('reports the progress of reading once reading takes time', async () => {
  const [terminal, pipe, quick] = [sink(true), sink(false), sink(false)]
  const views = [terminal, pipe].map((out) => openView(io, { out, form: 'auto' }))
  openView(io, { out: quick, form: 'auto' }).reading(0, 33_009)
  const redrawn =
    /^(?:reading 33,009 files, \d+ %\n\x1b\[1A\r\x1b\[K\x1b\[C\x1b\[J\r)+reading 33,009 files, \d+ %\n$/
  for (let files = 330; files < 33_009 && !redrawn.test(terminal.text()); files += 330) {
    for (const view of views) view.reading(files, 33_009)
    await sleep(50)
  }
  expect(quick.text()).toBe('')
  expect(pipe.text()).toMatch(/^reading 33,009 files, \d+ %\n$/)
  expect(terminal.text()).toMatch(redrawn)
  for (const line of log) views[0]?.line(line)
  views[0]?.end()
  expect(
    terminal
      .text()
      .split(/\x1b\[\d+A\r\x1b\[K\x1b\[C\x1b\[J\r/)
      .at(-1),
  ).not.toContain('reading')
})

it('prints one object per entry in JSON mode', () => {
  const out = sink(true)
  const view = openView(io, { out, form: 'json' })
  for (const line of log) view.line(line)
  const told = out
    .text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).seq)
  expect(told).toEqual(log.map(({ seq }) => seq))
})

it('prints nothing in quiet mode', () => {
  const out = sink(true)
  const view = openView(io, { out, form: 'quiet' })
  for (const line of log) view.line(line)
  view.note('x')
  view.end()
  expect(out.text()).toBe('')
})

it('redraws the status on a terminal, and leaves plain lines behind', async () => {
  const out = sink(true)
  const view = openView(io, { out, form: 'auto' })
  for (const line of log) view.line(line)
  for (let i = 0; i < 100 && !/\x1b\[\d+A/.test(out.text()); i++) await sleep(20)
  view.end()
  const drawn = out.text()
  view.line({ ...log[0], seq: 99 } as never)
  // each time the cursor goes up by exactly the number of drawn lines
  const [first = '', ...redrawn] = drawn.split(/\x1b\[\d+A\r\x1b\[K\x1b\[C\x1b\[J\r/)
  const ups = [...drawn.matchAll(/\x1b\[(\d+)A\r\x1b\[K\x1b\[C\x1b\[J\r/g)].map((match) => Number(match[1]))
  const heights = [first, ...redrawn.slice(0, -1)].map((text) => text.split('\n').length - 1)
  expect(ups).toEqual(heights)
  expect(first.split('\n').every((line) => line.length < 60)).toBe(true)
  // the remaining lines are broken between words on a narrower terminal
  const left = redrawn.at(-1) ?? ''
  expect(left.split('\n').filter((line) => line.length > 60)).toEqual([])
  expect(left).toMatch(/^study [\s\S]*\nreport {2}partial.*\nstudy report 01JD3K8QAA\n$/)
})
