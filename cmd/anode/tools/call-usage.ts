// How a call is written, said where its arguments are wrong.
import { qualifiedToolName } from '../../../internal/service/calls/tool-contract.ts'
import type { ListedTool } from '../../../internal/tool/catalog.ts'
import type { CallResult } from '../../../internal/tool/invoke.ts'
import { exitCodes } from '../exit-codes.ts'
import { exitOf } from './call-result.ts'

/** The same result with what helps to write the call where its arguments are wrong and nothing says how. */
export function withUsage(
  result: CallResult,
  entry: Pick<ListedTool, 'name' | 'face' | 'natives' | 'example'> | undefined,
): CallResult {
  const { failed } = result
  if (!failed || failed.hint !== undefined || exitOf(result) !== exitCodes.usage) return result
  const name = entry ? qualifiedToolName(entry) : result.tool
  const line = entry && `; for example: anode tools use ${name} --json '${quoted(entry.example)}'`
  const hint = `see \`anode tools show ${name}\`${line ?? ''}`
  return { ...result, text: `${result.text}\n${hint}`, failed: { ...failed, hint } }
}

/** JSON for a word of the shell in single quotes. */
const quoted = (value: unknown) => JSON.stringify(value).replaceAll("'", `'\\''`)
