// How a call is written, said where its arguments are wrong.
import type { CallResult } from '../../../internal/tool/invoke.ts'
import { exitCodes } from '../exit-codes.ts'
import { exitOf } from './call-result.ts'

/** The same result with what helps to write the call where its arguments are wrong and nothing says how. */
export function withUsage(result: CallResult, example: Record<string, unknown> | undefined): CallResult {
  const { failed } = result
  if (!failed || failed.hint !== undefined || exitOf(result) !== exitCodes.usage) return result
  const line = example && `; for example: anode tools use ${result.tool} --json '${JSON.stringify(example)}'`
  const hint = `see \`anode tools show ${result.tool}\`${line ?? ''}`
  return { ...result, text: `${result.text}\n${hint}`, failed: { ...failed, hint } }
}
