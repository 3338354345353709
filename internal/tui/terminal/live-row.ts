// One animated row at the end of the screen, which shows work in progress.

import type { Pen } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'

/** A row with an animated mark and a text. */
export interface LiveRow {
  /** Erases the row. The next frame of the animation draws it again. */
  erase(): void
  stop(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const asciiFrames = ['|', '/', '-', '\\']
/** Time in milliseconds between frames of the animation. Faster changes could not be read. */
const beatMs = 100

/** Opens the row. `text` returns the current work, not sanitized, or undefined to hide the row. */
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
    // The last column of the terminal stays free, because some terminals wrap a row that fills it.
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
