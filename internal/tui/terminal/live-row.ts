// One row at the end of the screen that moves while something goes on.

import type { Pen } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'

/** What moves it, and what it says. */
export interface LiveRow {
  /** Takes the row away; it comes back by itself. */
  erase(): void
  stop(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const asciiFrames = ['|', '/', '-', '\\']
/** A row that is drawn more often cannot be read faster. */
const beatMs = 100

/** `text` gives the end of what goes on, foreign text included; undefined: nothing is to be seen now. */
export function openLiveRow(
  write: (text: string) => unknown,
  pen: () => Pen,
  text: () => string | undefined,
): LiveRow {
  let isShown = false
  let frame = 0
  const erase = () => {
    if (isShown) write('\r\u001b[2K')
    isShown = false
  }
  const draw = () => {
    const what = text()
    if (what === undefined) return erase()
    const { look, clip, paint } = pen()
    const marks = look.unicode ? frames : asciiFrames
    const mark = marks[frame++ % marks.length] as string
    // the last column stays free: some terminals go to the next row when it is filled
    const room = look.width - 1 - mark.length - 1
    write(`\r${mark} ${paint({ dim: true })(clip(sanitizeText(what), room, 'end'))}\u001b[K`)
    isShown = true
  }
  const timer = setInterval(draw, beatMs)
  timer.unref()
  return {
    erase,
    stop() {
      clearInterval(timer)
      erase()
    },
  }
}
