// One toolbox program as a tool: what its description means, and how it is run.
import { FailureError, UserError } from '../base/errors.ts'
import { isObject } from '../base/untrusted-json.ts'
import { type Level, levels } from '../policy/level.ts'
import type { CommandOutcome, RunCommand } from '../process/process-command.ts'
import type { Ctx } from '../tool/ctx.ts'
import { failedResult, type ToolResult } from '../tool/result.ts'
import { defineTool, type Tool } from '../tool/tool.ts'
import { parseToolSchema, stripControlCharacters } from '../tool-support/tool-schema.ts'

/** What a call gives back as data. */
interface Printed {
  exit: number | null
  signal: string | null
  stdout: string
  stderr: string
  ms: number
}

/** What a program prints when it is asked to describe itself. Rejects with UserError when that is no JSON. */
export async function describeProgram(
  path: string,
  cwd: string,
  run: RunCommand,
  timeoutMs: number,
): Promise<unknown> {
  const { exit, signal, ended, stdout, stderr } = await run({
    file: path,
    args: [],
    cwd,
    extraEnv: { TOOLBOX_ACTION: 'describe' },
    timeoutMs,
    keepBytes: 1 << 18,
  })
  if (ended === 'timeout') throw new UserError(`did not describe itself within ${timeoutMs} ms`)
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

/** The longest a program may ask for, in seconds. */
const maxTimeoutSeconds = 3600

/**
 * The tool behind a description. `seconds` is how long a call may take when the description does not say. A
 * program of a workspace is confirm_execute whatever it says of itself. Throws UserError for a description
 * that cannot be used.
 */
export function createProgramTool(
  path: string,
  described: unknown,
  seconds: number,
  isWorkspaces = false,
): Tool {
  if (!isObject(described)) throw new UserError('describes itself with something other than a JSON object')
  const { name: declaredName, description, args, inputSchema, permission, timeout_seconds: asked } = described
  const name = nameOf(declaredName)
  if (typeof description !== 'string' || stripControlCharacters(description) === '')
    throw new UserError('has no description')
  const level = permission ?? 'confirm_execute'
  if (!levels.includes(level as Level)) {
    throw new UserError(
      `names an unknown permission ${JSON.stringify(permission)}; known: ${levels.join(', ')}`,
    )
  }
  // these levels are for tools that ask or start agents themselves; a program would pass every gate with them
  if (level === 'interactive' || level === 'delegated')
    throw new UserError(`may not have the permission ${level}`)
  if (asked !== undefined && !(typeof asked === 'number' && asked > 0)) {
    throw new UserError('has a timeout_seconds that is not a positive number')
  }
  const limit = Math.min(asked ?? seconds, maxTimeoutSeconds)
  return defineTool({
    name: `tb__${name}`,
    about: stripControlCharacters(description),
    ...parseToolSchema(inputSchema ?? args),
    level: isWorkspaces ? 'confirm_execute' : (level as Level),
    clip: { chars: 30_000, lines: 1000, keep: 'ends' },
    available: (ctx) => (ctx.can.run ? true : 'programs cannot be started in this session'),
    run: (args, ctx) => execute(`tb__${name}`, path, args, limit, ctx),
  })
}

/** In lower case, with `_` for whatever may not stand in the name of a tool. */
function nameOf(declaredName: unknown): string {
  const plainName =
    typeof declaredName === 'string' &&
    declaredName
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, '_')
      .replace(/^[_-]+|[_-]+$/g, '')
  if (plainName && /^[a-z]/.test(plainName) && plainName.length <= 60) return plainName
  const shown = JSON.stringify(declaredName)?.slice(0, 80) ?? 'none'
  throw new UserError(`has an unusable name (${shown}): a letter, then letters, digits, _ and -, at most 60`)
}

async function execute(
  name: string,
  path: string,
  args: unknown,
  seconds: number,
  ctx: Ctx,
): Promise<ToolResult> {
  if (!ctx.can.run)
    throw new FailureError({ code: 'unavailable', message: 'programs cannot be started in this session' })
  const outcome = await ctx.can.run({
    file: path,
    args: [],
    cwd: ctx.cwd,
    extraEnv: { TOOLBOX_ACTION: 'execute', TOOLBOX_WORKSPACE: ctx.policy.roots.workspace },
    input: JSON.stringify(args),
    timeoutMs: seconds * 1000,
    signal: ctx.signal,
  })
  const { exit, signal, ended, ms } = outcome
  const data: Printed = { exit, signal, stdout: outcome.stdout.text, stderr: outcome.stderr.text, ms }
  if (ended === 'cancelled')
    return withOutput(failedResult('cancelled', `${name} was cancelled`, { data }), outcome)
  if (ended === 'timeout') {
    return withOutput(failedResult('timeout', `${name} was ended after ${seconds} s`, { data }), outcome)
  }
  if (exit !== 0) {
    const how = exit === null ? `was ended by ${signal}` : `ended with exit code ${exit}`
    return withOutput(failedResult('command_failed', `${name} ${how}`, { data }), outcome)
  }
  return { text: data.stdout.trimEnd() || `${name} printed nothing`, data }
}

/** Both streams below the failure: why a program failed stands in either. */
function withOutput(result: ToolResult, { combined }: CommandOutcome): ToolResult {
  const output = combined.text.trimEnd()
  return output === '' ? result : { ...result, text: `${result.text}\n${output}` }
}
