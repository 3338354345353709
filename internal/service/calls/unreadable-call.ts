// The result of a malformed tool call.
import type { CallResult } from '../../tool/invoke.ts'
import { failedResult } from '../../tool/result.ts'

export function unreadableCall(why: string): CallResult {
  return { ...failedResult('bad_args', why), call: '', tool: '', ms: 0 }
}
