// StatusLine: a mark for the status and a text.

import { hangText } from '../pen.ts'
import type { ComponentProps } from '../spec/props.ts'
import type { ComponentRenderer } from './component.ts'

export const statusColors = { info: 'blue', success: 'green', warning: 'yellow', error: 'red' } as const

export const statusLine: ComponentRenderer<ComponentProps['StatusLine']> = {
  draw({ text, status, icon }, width, pen) {
    const kind = status ?? 'info'
    return hangText(
      `${icon || pen.glyphs.status[kind]} `,
      { color: statusColors[kind] },
      text,
      {},
      width,
      pen,
    )
  },
  speak: ({ text, status }) => `${text}: ${status ?? 'info'}`.split('\n'),
}
