import { describe, expect, it } from 'vitest'
import { finalWords, statusLines } from '../../../../internal/research/report/status-lines.ts'
import { final, header, lines, run, viewOf } from './sample.ts'

describe('statusLines', () => {
  it('tells a session in lines', () => {
    expect(statusLines(viewOf(), false).slice(0, 9)).toEqual([
      'gcc-flags  cpu_ms, lower is better',
      'least time',
      'judged by repeated pairs of runs',
      'runs 6 of 10: 2 keep, 1 discard, 1 crash, 1 checks failed',
      'baseline  100 ms  floor 0.7%',
      'best      48 ms  run 6, typed by hand  [single sample]',
      '',
      '#1  100 ms          baseline',
      '#2  50 ms   -50.0%  keep, improved       -O3',
    ])
  })

  it('lets nothing of a description reach the terminal but its text', () => {
    const text = statusLines(viewOf(), false).join('\n')
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  })

  it('shows the last 20 runs unless all are asked for', () => {
    const many = Array.from({ length: 25 }, (_, i) => run(i + 1, { metric: 10 }))
    expect(statusLines(viewOf([header, ...many]), false)).toContain('5 earlier runs (--all shows them)')
    expect(statusLines(viewOf([header, ...many]), true).filter((line) => line.startsWith('#'))).toHaveLength(
      25,
    )
  })

  it('shows both values where one was given', () => {
    const typed = run(2, { metric: 10, overridden: true, parsed: 12, evidence: 'single_sample' })
    expect(statusLines(viewOf([header, typed]), false).at(-1)).toContain('10 ms (measured 12 ms)')
  })

  it('calls nothing a gain but a final whose test says so', () => {
    expect(statusLines(viewOf(), false).join('\n')).not.toMatch(/gain/)
    expect(finalWords(viewOf([...lines, final(-50, [-51, -49])]))).toMatch(
      /^gain: cpu_ms 100 -> 50 ms, 50\.0 % lower \(49\.0 to 51\.0\) {2}20 pairs/,
    )
    // the interval alone says nothing
    expect(finalWords(viewOf([...lines, final(-1, [-3, -0.5], 6, 0.2)]))).toMatch(
      /^no gain shown: .* 1\.0 % lower \(0\.5 to 3\.0\)/,
    )
    expect(finalWords(viewOf([...lines, final(-1, [-3, 1], 6, 0.2)]))).toMatch(
      /1\.0 % lower \(3\.0 lower to 1\.0 higher\)/,
    )
    const higher = [{ ...header, bestDirection: 'higher' as const }, ...lines.slice(1)]
    expect(finalWords(viewOf([...higher, final(9, [7, 11])]))).toMatch(
      /^gain: .* 9\.0 % higher \(7\.0 to 11\.0\)/,
    )
    expect(finalWords(viewOf([...higher, final(-50, [-51, -49])]))).toMatch(/^no gain shown/)
  })

  it('asks more of each further final of one best, and counts them', () => {
    const once = [...lines, final(-5, [-9, -1], 6, 0.02)]
    expect(finalWords(viewOf(once))).toMatch(/^gain/)
    // measured until luck answers
    const unlucky = [...lines, final(-5, [-9, 1], 6, 0.3), final(-5, [-9, -1], 6, 0.02)]
    expect(finalWords(viewOf(unlucky))).toMatch(
      /^no gain shown.*final 2 of this best: p must be below 0\.0083/,
    )
    const other = [...lines, final(-5, [-9, 1], 4, 0.3), final(-5, [-9, -1], 6, 0.02)]
    expect(finalWords(viewOf(other))).toMatch(/^gain/)
  })
})
