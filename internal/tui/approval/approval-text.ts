// A call that needs approval as plain text, for clients that ask outside a terminal.
import type { FilePreview } from '../../tool/ask.ts'
import { approvalLines, type ShownRequest } from './approval-lines.ts'
import { textLook } from './argument-lines.ts'

/**
 * Returns the complete lines that a terminal would show of the call. A bar marks text that is not from Anode.
 */
export function approvalText(request: ShownRequest, preview: FilePreview | undefined): string {
  const lines = [...approvalLines(request, preview, textLook(true))]
  return lines.map(({ text, foreign }) => (foreign ? `│ ${text}` : text)).join('\n')
}
