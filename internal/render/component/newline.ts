// Newline: empty lines.

import { blankLine } from '../pen.ts'
import type { ComponentProps } from '../spec/props.ts'
import type { ComponentRenderer } from './component.ts'

export const newline: ComponentRenderer<ComponentProps['Newline']> = {
  draw: ({ count }) => new Array(Math.trunc(count ?? 1)).fill(blankLine),
  speak: ({ count }) => new Array(Math.trunc(count ?? 1)).fill(''),
}
