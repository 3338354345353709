// How every type and every chart looks at four widths, in Unicode and ASCII; UPDATE=1 writes the files anew.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chartTypes, drawChart } from '../../../internal/render/chart/chart.ts'
import { render } from '../../../internal/render/render.ts'
import { componentTypes } from '../../../internal/render/spec/props.ts'
import { options } from './draw.ts'
import { examples } from './examples.ts'

const folder = join(import.meta.dirname, '..', '..', 'golden', 'render')
const widths = [20, 40, 80, 200]

function compare(name: string, text: string): void {
  const path = join(folder, `${name}.txt`)
  if (process.env['UPDATE']) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, text)
  }
  expect(text).toBe(readFileSync(path, 'utf8'))
}

/** Returns the lines at each width under a heading, and a plain section at the end. */
function sheet(draw: (width: number) => readonly string[]): string {
  return widths.map((width) => `== ${width}\n${draw(width).join('\n')}\n`).join('\n')
}

test.each(componentTypes)('%s', (type) => {
  for (const unicode of [true, false]) {
    const draw = (width: number, plain = false) => {
      const { ok, lines } = render(examples[type], { ...options, width, unicode, plain })
      expect(ok).toBe(true)
      return lines
    }
    const plain = `\n== plain\n${draw(80, true).join('\n')}\n`
    compare(`${type}.${unicode ? 'unicode' : 'ascii'}`, sheet((width) => draw(width)) + plain)
  }
})

const series = [
  { label: 'mon', value: 1 },
  { label: '漢字', value: -4.25 },
  { label: 'wed', value: 'x' },
  { label: '👍🏽', value: '12' },
  { label: 'a label that is long', value: 7 },
]

test.each(chartTypes)('chart of type %s', (type) => {
  for (const unicode of [true, false]) {
    const draw = (width: number) => {
      const drawn = drawChart(
        { type, title: 'Load of 漢字', series, width: 40 },
        { ...options, width, unicode },
      )
      return drawn.ok ? drawn.lines : []
    }
    compare(`chart-${type}.${unicode ? 'unicode' : 'ascii'}`, sheet(draw))
  }
})
