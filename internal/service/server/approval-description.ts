// Descriptions of calls that wait for approval, in the same words as on the terminal.
import type { ApprovalDescription, ApprovalLine } from '../../server/backend.ts'
import type { SessionSnapshot } from '../../session/snapshot.ts'
import type { FilePreview } from '../../tool/ask.ts'
import { approvalLines } from '../../tui/approval/approval-lines.ts'
import { textLook } from '../../tui/approval/argument-lines.ts'
import type { SourceLine } from '../../tui/terminal/rows.ts'
import { readShownRequest } from '../../tui/view/approval-box.ts'

export function describeApprovals(snapshot: SessionSnapshot | undefined): ApprovalDescription[] {
  return (snapshot?.waits ?? []).map((request) => {
    const lines = approvalLines(
      readShownRequest(request),
      request.preview as FilePreview | undefined,
      textLook(true, 1),
    )
    return { call: request.call, lines: Array.from(lines, describeLine) }
  })
}

const tones: Readonly<Record<string, ApprovalLine['tone']>> = { green: 'added', red: 'removed', cyan: 'hunk' }

function describeLine({ text, foreign, style, marks, runs }: SourceLine): ApprovalLine {
  const tone = style?.bold ? 'head' : style?.dim ? 'title' : tones[String(style?.color)]
  const ranges = marks?.length ? marks : undefined
  return { text, foreign: foreign === true ? true : undefined, tone, marks: ranges, runs }
}
