// The rules above and below the text that is being written.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { penOfLook } from './look-pen.ts'

/** A rule over the whole width, with a remark at its right end. */
export function drawEditorRule(look: RenderLook, remark = ''): string {
  const pen = penOfLook(look)
  const { rule } = pen.glyphs
  const text = pen.clip(sanitizeText(remark), Math.max(0, look.width - 6))
  const end = text === '' ? '' : ` ${text} ${rule}`
  return pen.paint({ dim: true })(rule.repeat(Math.max(0, look.width - pen.cells(end))) + end)
}

/** The editor's own lines one cell in from the left, like everything else that is said. */
export function frameEditor(lines: readonly string[], look: RenderLook, remark = ''): string[] {
  return [drawEditorRule(look, remark), ...lines.map((line) => ` ${line}`), drawEditorRule(look)]
}
