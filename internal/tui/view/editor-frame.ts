// The rules (horizontal lines) above and below the editor.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { penOfLook } from './look-pen.ts'

/** Returns a rule over the whole width, with a remark at its right end. */
export function drawEditorRule(look: RenderLook, remark = ''): string {
  const pen = penOfLook(look)
  const { rule } = pen.glyphs
  const text = pen.clip(sanitizeText(remark), Math.max(0, look.width - 6))
  const end = text === '' ? '' : ` ${text} ${rule}`
  return pen.paint({ dim: true })(rule.repeat(Math.max(0, look.width - pen.cells(end))) + end)
}

/** Returns the editor's lines between two rules, indented like the conversation. */
export function frameEditor(lines: readonly string[], look: RenderLook, remark = ''): string[] {
  return [drawEditorRule(look, remark), ...lines.map((line) => ` ${line}`), drawEditorRule(look)]
}
