// List: bullets or numbers, texts hanging beside them.
import { type Part, shorten } from '../part.ts'
import { blank, hang, type Line, type Pen } from '../pen.ts'
import type { Props } from '../props.ts'

export const list: Part<Props['List']> = {
  draw(props, width, pen, warn) {
    const { shown, rest } = shorten(props.items, 'items', pen, warn)
    const digits = String(shown.length).length + 1
    const lines: Line[] = []
    for (const [i, item] of shown.entries()) {
      if (i > 0) for (let n = Math.trunc(props.spacing ?? 0); n > 0; n--) lines.push(blank)
      const mark = markOf(props, i, pen)
      const lead = `${props.ordered ? mark.padStart(digits) : mark} `
      for (const line of hang(lead, {}, item, {}, width, pen)) lines.push(line)
    }
    const note = rest ?? (shown.length === 0 ? '(no items)' : undefined)
    if (note) lines.push(...pen.wrap(note, width).map((text) => pen.line(text)))
    return lines
  },
  speak(props, pen, warn) {
    const { shown, rest } = shorten(props.items, 'items', pen, warn)
    if (shown.length === 0) return ['(no items)']
    const lines = shown.map((item, i) => `${props.ordered ? markOf(props, i, pen) : '-'} ${item}`)
    return rest ? [...lines, rest] : lines
  },
}

function markOf({ ordered, bulletChar }: Props['List'], i: number, pen: Pen): string {
  return ordered ? `${i + 1}.` : bulletChar || pen.glyphs.bullet
}
