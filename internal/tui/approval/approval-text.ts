// What a person has to see of a call, as plain text: for whoever asks outside of a terminal.
import type { FilePreview } from '../../tool/ask.ts'
import { approvalLines, type ShownRequest } from './approval-lines.ts'
import { textLook } from './argument-lines.ts'

/** The same lines as at the terminal, nothing left out; behind a bar stands what others have written. */
export function approvalText(request: ShownRequest, preview: FilePreview | undefined): string {
  const lines = [...approvalLines(request, preview, textLook(true))]
  return lines.map(({ text, foreign }) => (foreign ? `│ ${text}` : text)).join('\n')
}
