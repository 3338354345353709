import { parseHTML } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { renderPage } from '../../../../internal/research/report/html-page.ts'
import { header, hostile, lines, run, viewOf } from './sample.ts'

const text = renderPage(viewOf(), new Date('2026-01-02T03:04:05Z'))
const { document } = parseHTML(text)

describe('page', () => {
  it('is headed by the time of the snapshot', () => {
    expect(document.querySelector('.when')?.textContent).toBe('snapshot of 2026-01-02T03:04:05.000Z')
  })

  it('shows every run in the chart and in the table', () => {
    expect(document.querySelectorAll('tbody tr')).toHaveLength(6)
    expect(document.querySelectorAll('svg .point')).toHaveLength(6)
    expect(document.querySelectorAll('svg .interval')).toHaveLength(3)
    expect(document.querySelectorAll('svg .point.single')).toHaveLength(1)
    expect(document.querySelectorAll('svg .point.crash path')).toHaveLength(1)
  })

  it('needs nothing from anywhere', () => {
    expect(text).not.toMatch(/https?:|\bsrc=(?!x)|<link|@import|url\(/)
    expect(document.querySelectorAll('script')).toHaveLength(1)
    expect(document.querySelector('script')?.getAttribute('type')).toBe('application/json')
  })

  it('keeps hostile text as text', () => {
    expect(document.querySelectorAll('img')).toHaveLength(0)
    expect(document.querySelectorAll('b')).toHaveLength(0)
    expect(text).toContain('&lt;/script&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
    expect(text).not.toMatch(/[\u001b\u202e]/)
  })

  it('carries its data', () => {
    const data = JSON.parse(document.querySelector('#data')?.textContent ?? '')
    expect(data.rows).toHaveLength(6)
    expect(data.rows[4].description).toBe(hostile)
  })

  it('draws sessions without a value, and with equal values', () => {
    expect(renderPage(viewOf([header]), new Date())).not.toContain('<svg')
    const same = [header, run(1, { metric: 0 }), run(2, { metric: 0 })]
    expect(renderPage(viewOf(same), new Date())).not.toMatch(/NaN|Infinity/)
  })

  it('stays whole with ten thousand runs', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => run(i + 1, { metric: i % 7 }))
    expect(renderPage(viewOf([header, ...many]), new Date())).not.toMatch(/NaN|undefined/)
  })

  it('marks where a value was given instead of measured', () => {
    const typed = run(2, { metric: 10, overridden: true, parsed: 12 })
    expect(renderPage(viewOf([...lines, typed]), new Date())).toContain('<s>12 ms</s> 10 ms')
  })
})
