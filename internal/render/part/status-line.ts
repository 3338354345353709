// StatusLine: a mark for the status and a text.
import type { Part } from '../part.ts'
import { hang } from '../pen.ts'
import type { Props } from '../props.ts'

export const statusColors = { info: 'blue', success: 'green', warning: 'yellow', error: 'red' } as const

export const statusLine: Part<Props['StatusLine']> = {
  draw({ text, status, icon }, width, pen) {
    const kind = status ?? 'info'
    return hang(`${icon || pen.glyphs.status[kind]} `, { color: statusColors[kind] }, text, {}, width, pen)
  },
  speak: ({ text, status }) => `${text}: ${status ?? 'info'}`.split('\n'),
}
