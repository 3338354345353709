// One toolbox program as a tool, with its description and its calls.

import { UserError } from '../base/errors.ts'
import { stripControlCharacters } from '../base/text/control-chars.ts'
import { isObject } from '../base/untrusted-json.ts'
import type { ProcessCommand, RunCommand } from '../process/process-command.ts'
import { defineTool, type Tool } from '../tool/tool.ts'
import { parseToolSchema } from '../tool-support/tool-schema.ts'
import { canStartPrograms, runProgram } from './program-run.ts'
import { readToolRecord } from './tool-record.ts'

/**
 * Returns a program's description of itself. Rejects with UserError if the program fails, takes too long, or
 * prints more than 256 KiB or no JSON.
 */
export async function describeProgram(
  command: Pick<ProcessCommand, 'file' | 'args' | 'extraEnv'>,
  cwd: string,
  run: RunCommand,
  timeoutMs: number,
): Promise<unknown> {
  const {
    exit,
    signal,
    ended: endReason,
    stdout,
    stderr,
  } = await run({
    ...command,
    cwd,
    timeoutMs,
    keepBytes: 1 << 18,
  })
  if (endReason === 'timeout') throw new UserError(`did not describe itself within ${timeoutMs} ms`)
  if (exit !== 0) {
    const last = stripControlCharacters(stderr.text).split('\n').at(-1)
    const how = exit === null ? `was ended by ${signal}` : `ended with exit code ${exit}`
    throw new UserError(`${how} when asked to describe itself${last ? `: ${last.slice(0, 200)}` : ''}`)
  }
  if (stdout.cut) throw new UserError('describes itself with more than 256 KiB')
  try {
    return JSON.parse(stdout.text)
  } catch (cause) {
    throw new UserError('describes itself with something that is not JSON', { cause })
  }
}

/**
 * Creates the tool of a description. `seconds` is the default time limit of a call. A workspace's program
 * always has the permission level confirm_execute. Throws UserError for an invalid description.
 */
export function createProgramTool(
  path: string,
  described: unknown,
  seconds: number,
  isWorkspaces = false,
): Tool {
  if (!isObject(described)) throw new UserError('describes itself with something other than a JSON object')
  const record = readToolRecord(described, { prefix: 'tb__', seconds, isWorkspaces })
  const { name, about, level } = record
  return defineTool({
    name,
    about,
    level,
    ...parseToolSchema(described.inputSchema ?? described.args),
    clip: { chars: 30_000, lines: 1000, keep: 'ends' },
    available: canStartPrograms,
    access: () => ({ does: 'runs a program of a toolbox' }),
    run(args, ctx) {
      const extraEnv = { TOOLBOX_ACTION: 'execute', TOOLBOX_WORKSPACE: ctx.policy.roots.workspace }
      const command = { file: path, args: [], extraEnv, input: JSON.stringify(args) }
      return runProgram({ name, command, seconds: record.seconds, isWorkspaces }, ctx)
    },
  })
}
