// Heading: four levels, told apart by weight and underline.
import type { Style } from '../paint.ts'
import type { Part } from '../part.ts'
import type { Props } from '../props.ts'

const styles: Readonly<Record<string, Style>> = {
  h1: { bold: true, underline: true },
  h2: { bold: true },
  h3: { bold: true, dim: true },
  h4: { dim: true },
}

export const heading: Part<Props['Heading']> = {
  draw({ text, level, color }, width, pen) {
    const style = { ...styles[level ?? 'h2'], color }
    return pen.wrap(text, width).map((line) => pen.line(line, style))
  },
  speak: ({ text }) => [text],
}
