// Tools of one module: its records, and the calls of a tool in a separate process.

import { readFileSync } from 'node:fs'
import { FailureError, UserError } from '../base/errors.ts'
import { fingerprint } from '../base/fingerprint.ts'
import { stripControlCharacters } from '../base/text/control-chars.ts'
import { isObject, objectOf, parseJson } from '../base/untrusted-json.ts'
import { failedResult, type ToolResult } from '../tool/result.ts'
import { defineTool, type Tool } from '../tool/tool.ts'
import { customClip, describeCallContext, readCustomRecord, toCustomResult } from './custom-record.ts'
import { moduleScript } from './module-script.ts'
import { canStartPrograms, type ProgramOutput, runProgram } from './program-run.ts'

/** A custom tool of a user or a workspace, with its text for the system prompt. */
export interface CustomTool {
  tool: Tool
  guidance: string | undefined
}

interface ModuleTools {
  tools: CustomTool[]
  /** One line with the reason for each unusable record. */
  refused: string[]
}

/**
 * Returns the program and arguments that list the tools of the module at `path`, or call its tool `name`, in
 * a separate Node process.
 */
export const moduleCommand = (path: string, name?: string) => ({
  file: process.execPath,
  args: ['--input-type=module', '-e', moduleScript, '--', path, ...(name === undefined ? [] : [name])],
})

/** Creates the tools of a module. Throws UserError for a module without a list of tools. */
export function createModuleTools(
  path: string,
  described: unknown,
  rules: { seconds: number; isWorkspaces: boolean },
): ModuleTools {
  if (!Array.isArray(described))
    throw new UserError('its default export is neither a tool nor a list of tools')
  // The fingerprint of the module makes sure that only the version that the user has trusted runs.
  const digest = rules.isWorkspaces ? fingerprint(readFileSync(path, 'utf8')) : undefined
  const moduleTools: ModuleTools = { tools: [], refused: [] }
  for (const record of described) {
    try {
      moduleTools.tools.push(createModuleTool(path, record, { ...rules, digest }))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      moduleTools.refused.push(`${nameForPeople(record)} ${error.message}`)
    }
  }
  return moduleTools
}

const nameForPeople = (record: unknown) =>
  isObject(record) && typeof record.name === 'string' ? stripControlCharacters(record.name) : 'a tool'

interface ModuleRules {
  seconds: number
  isWorkspaces: boolean
  digest: string | undefined
}

function createModuleTool(path: string, described: unknown, rules: ModuleRules): CustomTool {
  const { isWorkspaces, digest } = rules
  const { declaredName, guidance, seconds, ...declared } = readCustomRecord(described, rules)
  const { name } = declared
  const tool = defineTool({
    ...declared,
    clip: customClip,
    available: canStartPrograms,
    async run(input, ctx) {
      if (digest !== undefined && fingerprint(readFileSync(path, 'utf8')) !== digest)
        throw changeErrorFor(path)
      const context = describeCallContext(ctx, Date.now() + seconds * 1000)
      const command = { ...moduleCommand(path, declaredName), input: JSON.stringify({ input, context }) }
      return readReturned(name, await runProgram({ name, command, seconds, isWorkspaces }, ctx))
    },
  })
  return { tool, guidance }
}

const changeErrorFor = (path: string) =>
  new FailureError({
    code: 'unavailable',
    message: `${path} has changed since it was loaded`,
    hint: 'A user has to check it, trust it and start again.',
  })

/**
 * Returns the result that a module printed: an object with `result` and, for a failure, `is_error`. Other
 * output becomes a failed result.
 */
function readReturned(name: string, ran: ToolResult<ProgramOutput>): ToolResult<ProgramOutput> {
  const { data } = ran
  if (ran.failed) return ran
  const returned = objectOf(parseJson(data.stdout))
  if (!returned) {
    const failed = failedResult('command_failed', `${name} ended without a result`, { data })
    return { ...failed, data, text: [failed.text, data.stderr.trimEnd()].filter(Boolean).join('\n') }
  }
  return toCustomResult(name, returned, data)
}
