// Rows of a screen become a well-formed SVG image that contains nothing but text and shapes.
import { describe, expect, it, test } from 'vitest'
import { drawScreen } from '../../../../internal/render/svg/draw-screen.ts'
import { readStyledRows } from '../../../../internal/render/svg/styled-line.ts'
import { withBrowser } from '../../../support/browser.ts'

const texts: readonly [string, string][] = [
  ['plain words', 'one two  three\n\nfour'],
  ['markup', '<script>alert(1)</script> & "quotes" \'single\' ]]> <!-- -->'],
  ['characters without a place in XML', 'a\uffffb\ufffec\ud800d\0e'],
  ['colors, frames and wide characters', '\x1b[1;3;4;9;31;44m│ 漢字 ██ é 👩‍👩‍👧\x1b[0m ╭──╮'],
  ['many words', 'word '.repeat(60)],
  ['nothing', ''],
]

const draw = (text: string, title?: string) => drawScreen(readStyledRows(text), title, 40)

/** The attributes of the text element that contains these words. */
const lookOf = (svg: string, words: string) => new RegExp(`<text ([^>]*)>[^<]*${words}`).exec(svg)?.[1] ?? ''

describe('drawScreen', () => {
  it('gives each style its attribute', () => {
    const looks = {
      1: 'font-weight="bold"',
      2: 'opacity="0.6"',
      3: 'font-style="italic"',
      31: 'fill="#ff7b72"',
    }
    for (const [code, look] of Object.entries(looks)) {
      const svg = draw(`before \x1b[${code}mstyled\x1b[0m after`)
      expect(lookOf(svg, 'styled')).toContain(look)
      expect(lookOf(svg, 'before')).not.toContain(look)
      expect(lookOf(svg, 'after')).not.toContain(look)
    }
    expect(lookOf(draw('\x1b[4;9mx'), 'x')).toContain('text-decoration="underline line-through"')
  })

  it('keeps columns and rows after text of any kind', () => {
    const at = (svg: string) => lookOf(svg, 'here').replace(/ textLength.*/, '')
    const plain = at(draw(`\n${'x'.repeat(10)}  here`))
    expect(plain).toBe('x="116.8" y="47"')
    expect(at(draw(`\n${'漢'.repeat(5)}  here`))).toBe(plain)
    expect(at(draw(`\n${'─'.repeat(10)}  here`))).toBe(plain)
    expect(at(draw(`\n\x1b[41m${'x'.repeat(5)}\x1b[0m${'y'.repeat(5)}  here`))).toBe(plain)
  })

  it('has a title bar if there is a title, else its words are the label', () => {
    expect(draw('ok', 'anode <x>')).toContain('aria-label="anode &lt;x&gt;"')
    expect(draw('ok', 'anode <x>')).toContain('text-anchor="middle">anode &lt;x&gt;</text>')
    expect(draw('╭─ Health ─╮\n│ API     │')).toContain('aria-label="Health API"')
    expect(draw('ok')).not.toContain('<circle')
  })
})

withBrowser('images in a browser', (open) => {
  test.each(texts)('%s are well-formed and load nothing', async (_, text) => {
    const { page, complaints } = await open()
    const elements = await page.evaluate(
      (svg) => {
        const image = new DOMParser().parseFromString(svg, 'image/svg+xml')
        return [...image.querySelectorAll('*')].map(({ localName }) => localName)
      },
      draw(text, text),
    )
    const known = new Set(['svg', 'rect', 'circle', 'text', 'path', 'g'])
    expect(elements.filter((name) => !known.has(name))).toEqual([])
    expect(elements[0]).toBe('svg')
    expect(complaints).toEqual([])
  })
})
