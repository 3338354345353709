// The hint on how to write a tool call, for results of calls with invalid arguments.
import { qualifiedToolName } from '../../../internal/service/calls/tool-contract.ts'
import type { ListedTool } from '../../../internal/tool/catalog.ts'
import type { CallResult } from '../../../internal/tool/invoke.ts'
import { exitCodes } from '../exit-codes.ts'
import { exitOf } from './direct-call.ts'

/**
 * Returns the result with a hint on how to write the call, if the tool or its arguments were invalid and the
 * result has no hint. Returns any other result unchanged.
 */
export function withUsage(
  result: CallResult,
  entry: Pick<ListedTool, 'name' | 'face' | 'natives' | 'example'> | undefined,
): CallResult {
  const { failed } = result
  if (!failed || failed.hint !== undefined || exitOf(result) !== exitCodes.usage) return result
  const name = entry ? qualifiedToolName(entry) : result.tool
  const line = entry && `; for example: anode tools use ${name} --json '${quoteJson(entry.example)}'`
  const hint = `see \`anode tools show ${name}\`${line ?? ''}`
  return { ...result, text: `${result.text}\n${hint}`, failed: { ...failed, hint } }
}

/** Returns a value as JSON for a word of a shell in single quotes. */
const quoteJson = (value: unknown) => JSON.stringify(value).replaceAll("'", `'\\''`)
