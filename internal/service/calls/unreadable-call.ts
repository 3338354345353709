// The result for what was to be a call and is none.
import type { CallResult } from '../../tool/invoke.ts'
import { failedResult } from '../../tool/result.ts'

export function unreadableCall(why: string): CallResult {
  return { ...failedResult('bad_args', why), call: '', tool: '', ms: 0 }
}
