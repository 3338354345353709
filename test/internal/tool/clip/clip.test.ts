// Truncated texts: the kept and skipped parts, whose counts add up.
import { describe, expect, it } from 'vitest'
import { clip } from '../../../../internal/tool/clip/clip.ts'

const lines = (n: number) => Array.from({ length: n }, (_, i) => `line ${i + 1}`).join('\n')

describe('clip', () => {
  it('does not change a short text', () => {
    expect(clip('a\nb\n', { chars: 10, lines: 2, keep: 'ends' })).toEqual({
      text: 'a\nb\n',
      lines: 0,
      chars: 0,
    })
  })

  it('keeps both ends by lines', () => {
    const cut = clip(lines(100), { chars: 10_000, lines: 9, keep: 'ends' })
    expect(cut.lines).toBe(91)
    expect(cut.text).toContain('line 6\n… 91 lines')
    expect(cut.text.endsWith('line 98\nline 99\nline 100')).toBe(true)
  })

  it('keeps only the beginning', () => {
    const cut = clip(lines(10), { chars: 10_000, lines: 3, keep: 'head' })
    expect(cut.text).toMatch(/^line 1\nline 2\nline 3\n… 7 lines \(\d+ characters\) left out …$/)
  })

  it('cuts inside one long line without splitting a surrogate pair', () => {
    const cut = clip('😀'.repeat(1000), { chars: 101, lines: 10, keep: 'head' })
    const kept = cut.text.split('\n')[0] as string
    expect(kept.isWellFormed()).toBe(true)
    expect(kept.length).toBeLessThanOrEqual(102)
    expect(kept.length + cut.chars).toBe(2000)
  })

  it('accounts for every character of random texts', () => {
    let seed = 7
    const random = (n: number) => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      return seed % n
    }
    for (let round = 0; round < 300; round++) {
      const text = Array.from({ length: random(60) }, () => 'x'.repeat(random(40))).join('\n')
      const limit = {
        chars: 20 + random(400),
        lines: 1 + random(30),
        keep: random(2) === 0 ? 'ends' : 'head',
      } as const
      const cut = clip(text, limit)
      if (cut.chars === 0) expect(cut.text).toBe(text)
      else {
        const [head = '', tail = ''] = cut.text.split(/(?:^|\n)… \d+ lines? \(\d+ characters\) left out …\n?/)
        expect(text.startsWith(head)).toBe(true)
        expect(text.endsWith(tail)).toBe(true)
        expect(text.length - cut.chars - head.length - tail.length).toBeGreaterThanOrEqual(0)
        expect(text.length - cut.chars - head.length - tail.length).toBeLessThanOrEqual(1)
      }
    }
  })
})
