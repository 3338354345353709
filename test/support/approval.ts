// Requests for approval as a call makes them, for tests of those who answer.
import type { ApprovalRequest } from '../../internal/tool/ask.ts'

export function requestOf(over: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    call: 'call_1',
    tool: 'bash',
    origin: 'native',
    args: { command: 'ls' },
    cwd: '/work',
    reasons: [],
    always: undefined,
    preview: async () => undefined,
    signal: new AbortController().signal,
    ...over,
  }
}
