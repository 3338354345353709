// The title row of a part of the pane, with the command or key that shows more of that part.
import type { RenderLook } from '../../render/pen.ts'
import { penOfLook } from './look-pen.ts'

/** Returns the row with the title at the left and the keys at the right. The keys are never cut. */
export function drawPartTitle(title: string, keys: string, look: RenderLook): string {
  const pen = penOfLook(look)
  const paintTitle = pen.paint({ bold: true })
  const right = pen.paint({ dim: true })
  const room = look.width - pen.cells(keys) - 2
  const shortTitle = pen.clip(title, Math.max(1, room))
  return (
    paintTitle(shortTitle) +
    ' '.repeat(Math.max(0, look.width - pen.cells(shortTitle) - pen.cells(keys))) +
    right(keys)
  )
}
