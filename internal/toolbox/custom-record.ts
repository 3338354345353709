// Records of custom tools, which modules and programs that embed Anode declare.

import { UserError } from '../base/errors.ts'
import { stripControlCharacters } from '../base/text/control-chars.ts'
import { isObject } from '../base/untrusted-json.ts'
import type { Level } from '../policy/level.ts'
import type { Ctx } from '../tool/ctx.ts'
import { failedResult, type ToolResult } from '../tool/result.ts'
import type { ClipLimit, ToolInput } from '../tool/tool.ts'
import { parseToolSchema } from '../tool-support/tool-schema.ts'
import { checkFlatSchema } from './flat-schema.ts'
import { readToolRecord } from './tool-record.ts'

interface CustomRecord {
  /** Name of the tool with its prefix. */
  name: string
  /** Name of the tool in its record, without a prefix. */
  declaredName: string
  about: string
  level: Level
  input: ToolInput
  example: Record<string, unknown>
  /** Time limit of a call in seconds. */
  seconds: number
  /** Text about the tool's use for the system prompt. */
  guidance: string | undefined
}

export const customClip: ClipLimit = { chars: 30_000, lines: 1000, keep: 'ends' }

/**
 * Returns the checked record of a custom tool. Throws UserError for an invalid record. Its field `arity` is
 * the number of parameters of the tool's function `execute`.
 */
export function readCustomRecord(
  described: unknown,
  rules: { seconds: number; isWorkspaces: boolean },
): CustomRecord {
  if (!isObject(described)) throw new UserError('is not an object')
  const { arity, input_schema: schema, system_prompt: guidance, name: declaredName } = described
  if (typeof arity !== 'number') throw new UserError('has no execute')
  if (arity > 2) throw new UserError(`has an execute with ${arity} parameters: it gets input and context`)
  const text = typeof guidance === 'string' ? stripControlCharacters(guidance) : ''
  return {
    ...readToolRecord(described, { ...rules, prefix: 'fn__' }),
    ...parseToolSchema(checkFlatSchema(schema)),
    declaredName: String(declaredName),
    guidance: text || undefined,
  }
}

/** Returns the second argument of a tool's function `execute`. `deadline` is in milliseconds since 1970. */
export const describeCallContext = (ctx: Pick<Ctx, 'policy' | 'agent'>, deadline: number) => ({
  workspace_root: ctx.policy.roots.workspace,
  runtime_deadline: deadline,
  model_name: ctx.agent?.model ?? null,
})

/** Returns the tool result of a returned text, or of a returned object that may mark itself as an error. */
export function toCustomResult<D>(
  name: string,
  { result = '', is_error: isError }: Readonly<Record<string, unknown>>,
  data: D,
): ToolResult<D> {
  const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? '')
  if (isError !== true) return { text: text || `${name} returned nothing`, data }
  const failed = failedResult('command_failed', `${name} failed`, { data })
  return { ...failed, data, text: `${failed.text}\n${text}` }
}
