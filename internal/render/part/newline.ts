// Newline: empty lines.
import type { Part } from '../part.ts'
import { blank } from '../pen.ts'
import type { Props } from '../props.ts'

export const newline: Part<Props['Newline']> = {
  draw: ({ count }) => new Array(Math.trunc(count ?? 1)).fill(blank),
  speak: ({ count }) => new Array(Math.trunc(count ?? 1)).fill(''),
}
