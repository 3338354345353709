// Looks, outcomes and screens for tests of what a terminal shows.
import { makePen, type Pen } from '../../internal/render/pen.ts'
import type { ColorDepth } from '../../internal/render/terminal.ts'
import type { ToolOutcome } from '../../internal/tui/run-view/tool-outcome.ts'

export const penOf = (width = 80, color: ColorDepth = 0, unicode = true): Pen =>
  makePen({ width, color, unicode, ambiguous: 1, all: false })

export const outcomeOf = (over: Partial<ToolOutcome> = {}): ToolOutcome => ({
  call: 'call_1',
  tool: 'read',
  args: {},
  ok: true,
  code: undefined,
  text: '',
  data: {},
  isCut: false,
  ms: 12,
  ...over,
})

/** Without our own colours. */
export const bare = (line: string) => line.replace(/\u001b\[[\d;]*m/g, '')

/** Returns a stream that records what is written to it. */
export function sink(isTTY: boolean, columns = 80) {
  let text = ''
  return {
    isTTY,
    columns,
    write: (more: string) => {
      text += more
    },
    text: () => text,
  }
}
