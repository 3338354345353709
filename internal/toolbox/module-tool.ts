// The tools of one module: what its records mean, and how a call of one is run in a process of its own.
import { readFileSync } from 'node:fs'
import { FailureError, UserError } from '../base/errors.ts'
import { fingerprint } from '../base/fingerprint.ts'
import { isObject } from '../base/untrusted-json.ts'
import type { Ctx } from '../tool/ctx.ts'
import { failedResult, type ToolResult } from '../tool/result.ts'
import { defineTool, type Tool } from '../tool/tool.ts'
import { parseToolSchema, stripControlCharacters } from '../tool-support/tool-schema.ts'
import { checkFlatSchema } from './flat-schema.ts'
import { moduleScript } from './module-script.ts'
import { canStartPrograms, type ProgramOutput, runProgram } from './program-run.ts'
import { readToolRecord } from './tool-record.ts'

/** A tool that a person or a workspace brings, with what the system prompt says of its use. */
export interface CustomTool {
  tool: Tool
  guidance: string | undefined
}

interface ModuleTools {
  tools: CustomTool[]
  /** Why records are not in use, one line each. */
  refused: string[]
}

/** How a module is asked: for all of its tools, or to call one. */
export const moduleCommand = (path: string, name?: string) => ({
  file: process.execPath,
  args: ['--input-type=module', '-e', moduleScript, '--', path, ...(name === undefined ? [] : [name])],
})

/** Throws UserError for a module that describes no list. */
export function createModuleTools(
  path: string,
  described: unknown,
  rules: { seconds: number; isWorkspaces: boolean },
): ModuleTools {
  if (!Array.isArray(described))
    throw new UserError('its default export is neither a tool nor a list of tools')
  // what a person has trusted is what runs
  const digest = rules.isWorkspaces ? fingerprint(readFileSync(path, 'utf8')) : undefined
  const made: ModuleTools = { tools: [], refused: [] }
  for (const record of described) {
    try {
      made.tools.push(createModuleTool(path, record, { ...rules, digest }))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      made.refused.push(`${nameForPeople(record)} ${error.message}`)
    }
  }
  return made
}

const nameForPeople = (record: unknown) =>
  isObject(record) && typeof record.name === 'string' ? stripControlCharacters(record.name) : 'a tool'

interface ModuleRules {
  seconds: number
  isWorkspaces: boolean
  digest: string | undefined
}

function createModuleTool(path: string, described: unknown, rules: ModuleRules): CustomTool {
  if (!isObject(described)) throw new UserError('is not an object')
  const { arity, input_schema: schema, system_prompt: guidance, name: own } = described
  if (typeof arity !== 'number') throw new UserError('has no execute')
  if (arity > 2) throw new UserError(`has an execute with ${arity} parameters: it gets input and context`)
  const { isWorkspaces, digest } = rules
  const { name, about, level, seconds } = readToolRecord(described, { ...rules, prefix: 'fn__' })
  const tool = defineTool({
    ...{ name, about, level },
    ...parseToolSchema(checkFlatSchema(schema)),
    clip: { chars: 30_000, lines: 1000, keep: 'ends' },
    available: canStartPrograms,
    async run(input, ctx) {
      if (digest !== undefined && fingerprint(readFileSync(path, 'utf8')) !== digest) throw changed(path)
      const context = describeContext(seconds, ctx)
      const command = { ...moduleCommand(path, String(own)), input: JSON.stringify({ input, context }) }
      return readReturned(name, await runProgram({ name, command, seconds, isWorkspaces }, ctx))
    },
  })
  const text = typeof guidance === 'string' ? stripControlCharacters(guidance) : ''
  return { tool, guidance: text || undefined }
}

/** Times in milliseconds since 1970. */
const describeContext = (seconds: number, ctx: Ctx) => ({
  workspace_root: ctx.policy.roots.workspace,
  runtime_deadline: Date.now() + seconds * 1000,
  model_name: ctx.model ?? null,
})

const changed = (path: string) =>
  new FailureError({
    code: 'unavailable',
    message: `${path} has changed since it was loaded`,
    hint: 'A person has to look at it, trust it and start anew.',
  })

/** A text, or a result that may say of itself that it is an error. */
function readReturned(name: string, ran: ToolResult<ProgramOutput>): ToolResult<ProgramOutput> {
  const { data } = ran
  if (ran.failed) return ran
  const returned = parseReturned(data.stdout)
  if (!returned) {
    const failed = failedResult('command_failed', `${name} ended without a result`, { data })
    return { ...failed, data, text: [failed.text, data.stderr.trimEnd()].filter(Boolean).join('\n') }
  }
  const { result = '', is_error: isError } = returned
  const text = typeof result === 'string' ? result : JSON.stringify(result)
  if (isError !== true) return { text: text || `${name} returned nothing`, data }
  const failed = failedResult('command_failed', `${name} failed`, { data })
  return { ...failed, data, text: `${failed.text}\n${text}` }
}

function parseReturned(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
