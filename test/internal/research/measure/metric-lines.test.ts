// METRIC lines: accepted lines, rejected lines, and the message of each failure.
import { describe, expect, it } from 'vitest'
import {
  isMetricName,
  type MetricReading,
  readMetrics,
} from '../../../../internal/research/measure/metric-lines.ts'

const read = (stdout: string, stderr = '') => readMetrics({ stdout, stderr }, { primary: 'ms' })
const codeOf = (reading: MetricReading) => (reading.ok ? reading.value : reading.reason)

describe('readMetrics', () => {
  it.each<[string, string, number | string]>([
    ['plain', 'METRIC ms=12.5', 12.5],
    ['among other output', 'build ok\nMETRIC ms=3\ndone\n', 3],
    ['exponent and sign', 'METRIC ms=-1.5e-3', -0.0015],
    ['no digit before the point', 'METRIC ms=.5', 0.5],
    ['zero is a value', 'METRIC ms=0', 0],
    ['CRLF', 'METRIC ms=4\r\n', 4],
    ['after a progress display', 'running 99%\rMETRIC ms=4', 4],
    ['colours removed', '\u001b[32mMETRIC ms=\u001b[1m7\u001b[0m', 7],
    ['the same value twice', 'METRIC ms=1\nMETRIC ms=1.0', 'ambiguous_metric'],
    ['two values', 'METRIC ms=1\nMETRIC ms=2', 'ambiguous_metric'],
    ['comma', 'METRIC ms=1,5', 'no_metric'],
    ['unit', 'METRIC ms=5ms', 'no_metric'],
    ['NaN', 'METRIC ms=NaN', 'no_metric'],
    ['Infinity', 'METRIC ms=Infinity', 'no_metric'],
    ['overflow to infinity', 'METRIC ms=1e999', 'no_metric'],
    ['minus zero is zero', 'METRIC ms=-0', 0],
    ['minus zero by its digits', 'METRIC ms=-0.000e9', 0],
    ['zero twice, with either sign', 'METRIC ms=0\nMETRIC ms=-0', 'ambiguous_metric'],
    ['the largest that ratios bear', 'METRIC ms=1e150', 1e150],
    ['the smallest that ratios bear', 'METRIC ms=-1e-150', -1e-150],
    ['too large for a ratio', 'METRIC ms=1.1e150', 'no_metric'],
    ['the largest number there is', 'METRIC ms=1.7976931348623157e308', 'no_metric'],
    ['too large downwards', 'METRIC ms=-1e151', 'no_metric'],
    ['too small for a ratio', 'METRIC ms=9e-151', 'no_metric'],
    ['the smallest number there is', 'METRIC ms=5e-324', 'no_metric'],
    ['too small to be anything but zero', 'METRIC ms=1e-999', 0],
    ['hex', 'METRIC ms=0x10', 'no_metric'],
    ['empty value', 'METRIC ms=', 'no_metric'],
    ['one good, one unreadable', 'METRIC ms=1\nMETRIC ms=oops', 'no_metric'],
    ['indented', '  METRIC ms=1', 'no_metric'],
    ['two on one line', 'METRIC ms=1 METRIC ms=2', 'no_metric'],
    ['another word', 'METRICS ms=1', 'no_metric'],
    ['nothing', '', 'no_metric'],
    ['a marked line without strict mode', 'METRIC@x ms=1', 'no_metric'],
  ])('%s', (_, stdout, expected) => {
    expect(codeOf(read(stdout))).toBe(expected)
  })

  it('reads both streams and finds a contradiction between them', () => {
    expect(codeOf(read('', 'METRIC ms=2'))).toBe(2)
    expect(codeOf(read('METRIC ms=1', 'METRIC ms=2'))).toBe('ambiguous_metric')
  })

  it('refuses any name that is printed twice', () => {
    for (const twice of [
      'kb=5\nMETRIC kb=6',
      'kb=5\nMETRIC kb=5',
      'kb=5\nMETRIC kb=five',
      'kb=5\nMETRIC kb=1e200',
    ])
      expect(read(`METRIC ms=1\nMETRIC ${twice}`)).toMatchObject({
        reason: 'ambiguous_metric',
        detail: 'kb is printed 2 times; print each metric once',
      })
  })

  it('rejects any name that is printed twice', () => {
    expect(read('METRIC ms=1\nMETRIC kb=five\nMETRIC s=1e200\nMETRIC µs.p-95=2\nMETRIC n=-0')).toEqual({
      ok: true,
      value: 1,
      metrics: { 'µs.p-95': 2, n: 0 },
      refused: ['METRIC kb=five', 'METRIC s=1e200'],
    })
  })

  it.each(['__proto__', 'constructor', 'prototype', '', 'a b', 'a'.repeat(65), 'ä'])(
    'rejects the name %j',
    (name) => {
      expect(isMetricName(name)).toBe(false)
      const reading = read(`METRIC ms=1\nMETRIC ${name}=9`)
      expect(reading).toMatchObject({ ok: true, metrics: {} })
      expect(Object.keys(reading.ok ? reading.metrics : { none: 1 })).toEqual([])
      expect(codeOf(readMetrics({ stdout: `METRIC ${name}=9`, stderr: '' }, { primary: name }))).toBe(
        'no_metric',
      )
    },
  )

  it('names the offending line, or the names that were seen', () => {
    expect(read('METRIC ms=1,5')).toMatchObject({ detail: expect.stringContaining('METRIC ms=1,5') })
    expect(read('METRIC cpu=1\nMETRIC rss=2')).toMatchObject({ detail: expect.stringContaining('cpu, rss') })
  })

  it('strict: plain lines on descriptor 3 and lines with the nonce, nothing else', () => {
    const strict = (stdout: string, fd3 = '') =>
      codeOf(readMetrics({ stdout, stderr: '', fd3 }, { primary: 'ms', nonce: 'k7' }))
    expect(strict('METRIC ms=1')).toBe('no_metric')
    expect(strict('METRIC@k7 ms=2')).toBe(2)
    expect(strict('METRIC@k8 ms=2')).toBe('no_metric')
    expect(strict('METRIC@k77 ms=2')).toBe('no_metric')
    expect(strict('METRIC ms=1', 'METRIC ms=3')).toBe(3)
    expect(strict('METRIC@k7 ms=2', 'METRIC ms=3')).toBe('ambiguous_metric')
  })

  // the lines of an honest run, and each way in which another voice adds or removes lines
  const names = ['ms', 'kb', 'score', 'p95']
  const honest = (count: number) => names.slice(0, count).map((name, i) => `METRIC ${name}=${i + 1}`)
  const tricks = (lines: readonly string[]) => {
    const places = [...lines.keys(), lines.length]
    const insert = (line: string) => places.map((at) => lines.toSpliced(at, 0, line))
    return [
      ...lines.map((_, at) => lines.toSpliced(at, 1)),
      ...lines.flatMap((line) => insert(line)),
      ...lines.flatMap((line) => insert(line.replace(/\d+$/, '0.5'))),
      ...insert('METRIC fresh=3'),
      ...(lines.length > 1 ? [['METRIC ms=0.5']] : []),
    ]
  }
  const rows = names.flatMap((_, i) =>
    tricks(honest(i + 1)).flatMap((lines) =>
      (['stdout', 'stderr', 'split'] as const).map((stream) => ({ count: i + 1, lines, stream })),
    ),
  )
  it(`accepts what the baseline printed and refuses ${rows.length} other outputs`, () => {
    expect(rows.length).toBeGreaterThan(200)
    for (const { count, lines, stream } of rows) {
      const expected = names.slice(1, count)
      const cut = stream === 'stdout' ? lines.length : stream === 'stderr' ? 0 : 1
      const streams = { stdout: lines.slice(0, cut).join('\n'), stderr: lines.slice(cut).join('\n') }
      const right = { stdout: honest(count).join('\n'), stderr: '' }
      expect(readMetrics(right, { primary: 'ms', expected }).ok).toBe(true)
      expect([lines, readMetrics(streams, { primary: 'ms', expected }).ok]).toEqual([lines, false])
    }
  })
})
