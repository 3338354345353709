// Heading: four levels that are bold (the first two), bold and dim, or dim. The first level has a
// line below it.

import type { ComponentProps } from '../spec/props.ts'
import type { TextStyle } from '../text/color.ts'
import type { ComponentRenderer } from './component.ts'

const styles: Readonly<Record<string, TextStyle>> = {
  h1: { bold: true },
  h2: { bold: true },
  h3: { bold: true, dim: true },
  h4: { dim: true },
}

export const heading: ComponentRenderer<ComponentProps['Heading']> = {
  draw({ text, level, color }, width, pen) {
    const kind = level ?? 'h2'
    const style = { ...styles[kind], color }
    const lines = pen.wrap(text, width).map((line) => pen.line(line, style))
    const longest = Math.max(...lines.map(({ cells }) => cells))
    if (kind !== 'h1' || longest === 0) return lines
    // The heading is underlined by a row of characters, because some terminals have no color or no underline.
    return [...lines, pen.line(pen.glyphs.underline.repeat(longest), { bold: true, color })]
  },
  speak: ({ text }) => [text],
}
