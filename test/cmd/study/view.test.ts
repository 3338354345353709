import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { CommandOutput } from '../../../cmd/anode/io/command-output.ts'
import { openView } from '../../../cmd/anode/study/output/progress-view.ts'
import type { CommandIo } from '../../../cmd/anode/verb.ts'
import { makeStudyEntry } from '../../../internal/study/log/entries.ts'
import { finished, lines } from '../../support/study.ts'

const log = lines([...finished(), makeStudyEntry('status', { status: 'partial', reason: 'gaps' })])

/** A stream that keeps what it is told; a terminal of 60 columns and 20 rows if it is one. */
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
  it('is a line for each change', () => {
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

  it('tells a study that is taken up again only from there on', () => {
    const out = sink(false)
    const view = openView(io, { out, form: 'auto' })
    for (const [i, line] of log.entries()) view.line(line, i < log.length - 1)
    expect(out.text()).toMatch(/^verify .*\nreport .*\n$/)
  })
})

it('leaves on a terminal only what matters beside the answer that follows', () => {
  const out = sink(true)
  const view = openView(io, { out, form: 'auto', answers: true })
  for (const line of log) view.line(line)
  view.note('by the way')
  view.end()
  const left =
    out
      .text()
      .split(/\x1b\[\d+A\x1b\[J/)
      .at(-1) ?? ''
  expect(left).toMatch(/^study [\s\S]*\nby the way\n$/)
  expect(left).not.toMatch(/^(?:plan|t1|t2|verify|report)/m)
})

it('says that it looks for files, where that alone takes time', () => {
  const out = sink(false)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const view = openView(io, { out, form: 'auto' })
  vi.advanceTimersByTime(450)
  view.reading(0, 0)
  expect(out.text()).toBe('looking for files\n')
})

it('says how far reading has come, once it takes time', async () => {
  const [terminal, pipe, quick] = [sink(true), sink(false), sink(false)]
  const views = [terminal, pipe].map((out) => openView(io, { out, form: 'auto' }))
  openView(io, { out: quick, form: 'auto' }).reading(0, 33_009)
  for (const end = Date.now() + 900; Date.now() < end; await sleep(50))
    for (const view of views) view.reading(16_504, 33_009)
  expect(quick.text()).toBe('')
  expect(pipe.text()).toBe('reading 33,009 files, 49 %\n')
  expect(terminal.text()).toMatch(
    /^(?:reading 33,009 files, 49 %\n\x1b\[1A\x1b\[J)+reading 33,009 files, 49 %\n$/,
  )
  for (const line of log) views[0]?.line(line)
  views[0]?.end()
  expect(
    terminal
      .text()
      .split(/\x1b\[\d+A\x1b\[J/)
      .at(-1),
  ).not.toContain('reading')
})

it('is one object for each entry when programs read it', () => {
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

it('says nothing when it is to be quiet', () => {
  const out = sink(true)
  const view = openView(io, { out, form: 'quiet' })
  for (const line of log) view.line(line)
  view.note('x')
  view.end()
  expect(out.text()).toBe('')
})

it('draws a board anew on a terminal, and leaves plain lines behind', async () => {
  const out = sink(true)
  const view = openView(io, { out, form: 'auto' })
  for (const line of log) view.line(line)
  for (let i = 0; i < 100 && !/\x1b\[\d+A/.test(out.text()); i++) await sleep(20)
  view.end()
  const drawn = out.text()
  view.line({ ...log[0], seq: 99 } as never)
  // each time it goes up by exactly the lines that it has drawn
  const [first = '', ...redrawn] = drawn.split(/\x1b\[\d+A\x1b\[J/)
  const ups = [...drawn.matchAll(/\x1b\[(\d+)A\x1b\[J/g)].map((match) => Number(match[1]))
  const heights = [first, ...redrawn.slice(0, -1)].map((text) => text.split('\n').length - 1)
  expect(ups).toEqual(heights)
  expect(first.split('\n').every((line) => line.length < 60)).toBe(true)
  // what stays is broken between words where the terminal is narrower
  const left = redrawn.at(-1) ?? ''
  expect(left.split('\n').filter((line) => line.length > 60)).toEqual([])
  expect(left).toMatch(/^study [\s\S]*\nreport {2}partial.*\nreport 01JD3K8QAA\n$/)
})
