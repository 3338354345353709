// Tools for functions of a program that embeds Anode. The record of a tool is checked, and its calls run
// in this process.
import { FailureError, messageOf, UserError } from '../base/errors.ts'
import { waitAtMost } from '../base/time-limit.ts'
import { isObject } from '../base/untrusted-json.ts'
import type { Ctx } from '../tool/ctx.ts'
import { defineTool } from '../tool/tool.ts'
import { customClip, describeCallContext, readCustomRecord, toCustomResult } from './custom-record.ts'
import type { CustomTool } from './module-tool.ts'

type ExecuteFunction = (
  input: Record<string, unknown>,
  context: ReturnType<typeof describeCallContext>,
) => unknown

/** Default time limit of a call in seconds. */
const usualSeconds = 120

/**
 * Creates the tool of a record with a function `execute(input, context)`. A call ends at the record's time
 * limit, at `runDeadline` or with the run, whichever is first. The function itself cannot be stopped and has
 * to watch its deadline. Throws UserError for an invalid record.
 */
export function createFunctionTool(record: unknown, runDeadline?: () => number | undefined): CustomTool {
  const described = describeRecord(record)
  const { declaredName: _, guidance, seconds, ...declared } = readFunctionRecord(described)
  const { name } = declared
  const tool = defineTool({
    ...declared,
    clip: customClip,
    async run(input: Record<string, unknown>, ctx: Ctx) {
      const deadline = Math.min(Date.now() + seconds * 1000, runDeadline?.() ?? Number.POSITIVE_INFINITY)
      const remainingMs = deadline - Date.now()
      if (remainingMs <= 0)
        throw new FailureError({ code: 'timeout', message: `${name}: no time is left for it` })
      const context = describeCallContext(ctx, deadline)
      const outcome = await waitAtMost(
        callFunction(described.execute, input, context),
        remainingMs,
        ctx.signal,
      )
      if (outcome === 'aborted')
        throw new FailureError({ code: 'cancelled', message: `${name} was cancelled` })
      if (outcome !== 'late') return toCustomResult(name, outcome.value, outcome.value)
      const message = `${name} has not returned in time; it may still be at work`
      throw new FailureError({ code: 'timeout', message })
    },
  })
  return { tool, guidance }
}

interface DescribedRecord extends Record<string, unknown> {
  execute: ExecuteFunction
}

function describeRecord(record: unknown): DescribedRecord {
  if (!isObject(record)) throw new UserError('a tool is not an object')
  const { execute } = record
  if (typeof execute !== 'function') return { ...record, execute: () => undefined }
  return { ...record, arity: execute.length, execute: execute.bind(record) }
}

function readFunctionRecord(described: DescribedRecord): ReturnType<typeof readCustomRecord> {
  try {
    checkName(described.name)
    return readCustomRecord(described, { seconds: usualSeconds, isWorkspaces: false })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const { name } = described
    const displayName = typeof name === 'string' && name !== '' ? name.slice(0, 80) : 'without a name'
    throw new UserError(`the tool ${displayName} ${error.message}`, { cause: error })
  }
}

/**
 * Throws UserError for an invalid name. No character is replaced, because the program calls its tool
 * by the name.
 */
function checkName(name: unknown): void {
  if (typeof name === 'string' && /^[A-Za-z][A-Za-z0-9_-]{0,59}$/.test(name)) return
  const displayName = JSON.stringify(name)?.slice(0, 80) ?? 'none'
  throw new UserError(
    `has an invalid name (${displayName}): use a letter, then letters, digits, _ and -, at most 60`,
  )
}

/**
 * Calls the function of a tool. An error of the function, and a result that is not JSON, become
 * a failed result.
 */
async function callFunction(
  execute: ExecuteFunction,
  input: Record<string, unknown>,
  context: ReturnType<typeof describeCallContext>,
): Promise<{ result: string; is_error: boolean }> {
  try {
    const returned = await execute(input, context)
    const isResult = isObject(returned) && ('result' in returned || 'is_error' in returned)
    const { result, is_error } = isResult ? returned : { result: returned, is_error: false }
    const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? '')
    return { result: text, is_error: is_error === true }
  } catch (error) {
    return { result: messageOf(error), is_error: true }
  }
}
