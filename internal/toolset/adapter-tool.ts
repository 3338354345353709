// The tool that an adapter becomes: a native tool under another name, with another schema, result form
// and failure texts.
import type * as z from 'zod/mini'
import { type Failure, FailureError, UserError, userFailure } from '../base/errors.ts'
import { type Level, levels } from '../policy/level.ts'
import type { Ctx } from '../tool/ctx.ts'
import { parseArguments } from '../tool/parse.ts'
import { failureResult, type ToolResult } from '../tool/result.ts'
import type { Tool } from '../tool/tool.ts'
import { chooseTarget, mapArguments } from './map-arguments.ts'
import {
  type AdapterVocabulary,
  adapterVocabulary,
  failureKeys,
  rephraseFailure,
  rephraseNote,
} from './rephrase-failure.ts'
import type { AdapterTarget, FailureKey, ResultForm, ToolAdapter } from './toolset.ts'
import { fillTemplate, lookUpValue, type ResultValues, writeResult } from './write-result.ts'

/** The tool names of the session, to which an adapter translates its calls and messages. */
export interface AdapterContext {
  toolset: string
  /**
   * Names of the toolset's adapters that the session offers by default, each by the native tool
   * that it calls.
   */
  tools: ReadonlyMap<string, string>
  nativeTools: ReadonlySet<string>
  /**
   * Name of the offered tool that pages through stored results; undefined if the session does not offer one.
   */
  pager: string | undefined
  /** Loads a native tool with the parameters that only adapters set. */
  load(native: string): Promise<Tool>
}

/**
 * Returns the tool for one call. The arguments `raw` select the native target; invalid arguments select
 * the last target.
 */
export async function loadAdapterTool(
  adapter: ToolAdapter,
  raw: unknown,
  context: AdapterContext,
): Promise<Tool> {
  const parsed = parseArguments(adapter.input, raw)
  const target = parsed.ok
    ? chooseTarget(adapter.to, parsed.args as Record<string, unknown>)
    : (adapter.to.at(-1) as AdapterTarget)
  return createAdapterTool(adapter, target, await context.load(target.tool), context)
}

export function createAdapterTool(
  adapter: ToolAdapter,
  target: AdapterTarget,
  native: Tool,
  context: AdapterContext,
): Tool {
  const words = adapterVocabulary(adapter, target, parameterNames(native.input), context)
  const loaded: LoadedTarget = { adapter, target, native, words, context, given: new WeakMap() }
  const clip = target.clip ?? native.clip
  const { validate, access } = native
  return {
    ...native,
    about: adapter.about,
    input: adapter.input,
    example: adapter.example,
    level: strictestLevel(native.level, target.level),
    alone: target.alone || native.alone ? true : undefined,
    clip,
    validate:
      validate &&
      (async (args: never, ctx: Ctx) => {
        try {
          return await validate(args, ctx)
        } catch (error) {
          throw adapterError(error, loaded, args, ctx)
        }
      }),
    access: access && withAdapterWords(access, loaded),
    run: (args: Record<string, unknown>, ctx: Ctx) => runAdapter(loaded, args, ctx),
    adapter: {
      toolset: context.toolset,
      name: adapter.name,
      pager: context.pager,
      map: (callArgs: Record<string, unknown>, ctx: Pick<Ctx, 'env'>) => mapCall(loaded, callArgs, ctx),
    },
  } as Tool
}

/** Returns the names of all parameters in a schema, including those of list items. */
function parameterNames(schema: z.core.$ZodType): string[] {
  const { shape, element, innerType } = schema._zod.def as unknown as {
    shape?: Record<string, z.core.$ZodType>
    element?: z.core.$ZodType
    innerType?: z.core.$ZodType
  }
  const inner = element ?? innerType
  if (!shape) return inner ? parameterNames(inner) : []
  return Object.entries(shape).flatMap(([name, parameter]) => [name, ...parameterNames(parameter)])
}

/**
 * Returns the higher of two permission levels: that of the native tool, and `ownLevel`, the level that a
 * target of an adapter sets. If `ownLevel` is undefined, returns the level of the native tool.
 */
export function strictestLevel(native: Level, ownLevel: Level | undefined): Level {
  return ownLevel !== undefined && levels.indexOf(ownLevel) > levels.indexOf(native) ? ownLevel : native
}

/** One target of an adapter with its native tool. */
interface LoadedTarget {
  adapter: ToolAdapter
  target: AdapterTarget
  native: Tool
  words: AdapterVocabulary
  context: AdapterContext
  /** The arguments as the caller sent them, by the mapped arguments of the native tool. */
  given: WeakMap<object, Record<string, unknown>>
}

function mapCall(
  { target, native, words, given: sourceArgs }: LoadedTarget,
  callArgs: Record<string, unknown>,
  ctx: Pick<Ctx, 'env'>,
) {
  const parsed = parseArguments(native.input, mapArguments(target.args, callArgs, ctx.env))
  if (!parsed.ok)
    throw new Error(`${target.tool} does not take what its adapter gives: ${parsed.issues.join('; ')}`)
  const args = parsed.args as Record<string, unknown>
  sourceArgs.set(args, callArgs)
  return { args, notes: parsed.notes.map((note) => rephraseNote(note, words, target.args)) }
}

/** Wraps a function of the native tool that reads arguments, so that its errors use the adapter's texts. */
function withAdapterWords<T>(read: (args: never, ctx: Ctx) => T, loaded: LoadedTarget) {
  return (args: never, ctx: Ctx): T => {
    try {
      return read(args, ctx)
    } catch (error) {
      throw adapterError(error, loaded, args, ctx)
    }
  }
}

/**
 * Returns the error with the adapter's texts; an error that is a bug or comes from the
 * system stays unchanged.
 */
function adapterError(
  error: unknown,
  { target, words }: LoadedTarget,
  args: Record<string, unknown>,
  ctx: Pick<Ctx, 'cwd'>,
): unknown {
  const failure = thrownFailure(error)
  if (!failure) return error
  const values = { ...emptyValues, args, cwd: ctx.cwd, failure }
  return new FailureError(inAdapterWords(failure, target, words, values), error)
}

/** Returns the failure in an error; undefined for a bug or an error of the system. */
function thrownFailure(error: unknown): Failure | undefined {
  if (error instanceof UserError) return userFailure(error)
  return error instanceof FailureError ? error.failure : undefined
}

const emptyValues = { data: null, raw: {}, text: '' }

async function runAdapter(
  loaded: LoadedTarget,
  args: Record<string, unknown>,
  ctx: Ctx,
): Promise<ToolResult> {
  const { target, native, words } = loaded
  let result: ToolResult
  try {
    // The adapter sets its own limits, so those of the conversation do not apply to the native tool here.
    const open: Ctx = { ...ctx, agent: ctx.agent && { ...ctx.agent, resultRoom: undefined } }
    result = await native.run(args, open)
  } catch (error) {
    const failure = thrownFailure(error)
    if (!failure) throw error
    const other = byFailure(target.otherwise, failure)
    if (other) return runOther(loaded, other, args, ctx)
    const values = { ...emptyValues, args, cwd: ctx.cwd, failure }
    const form = answerTo(failure, target)
    if (!form) throw new FailureError(inAdapterWords(failure, target, words, values), error)
    return { text: writeResult(form, values), data: failure.detail ?? null }
  }
  const values = { args, data: result.data, raw: result.raw ?? {}, text: result.text, cwd: ctx.cwd }
  return result.failed
    ? writeFailed(result, result.failed, target, words, { ...values, failure: result.failed })
    : writeDone(withEmptyHint(result, target, values), target.result, values)
}

function withEmptyHint(result: ToolResult, { ifEmpty }: AdapterTarget, values: ResultValues): ToolResult {
  const list = ifEmpty && lookUpValue(ifEmpty.list, values)
  return Array.isArray(list) && list.length === 0
    ? { ...result, text: `${result.text}\n${ifEmpty?.say}` }
    : result
}

/**
 * Runs the call on another target. Both targets read the same path, so the call has already been authorized.
 */
async function runOther(
  { adapter, context, given: sourceArgs }: LoadedTarget,
  target: AdapterTarget,
  args: Record<string, unknown>,
  ctx: Ctx,
): Promise<ToolResult> {
  const tool = createAdapterTool(adapter, target, await context.load(target.tool), context)
  const mapped = tool.adapter?.map(sourceArgs.get(args) ?? {}, ctx).args ?? {}
  return tool.run(mapped, ctx)
}

function writeDone(result: ToolResult, form: ResultForm | undefined, values: ResultValues): ToolResult {
  if (!form) return result
  // The text below the result of the native tool belongs to the native form, so it is removed.
  const { closing: _, ...rest } = result
  return { ...rest, text: writeResult(form, values) }
}

/**
 * Returns a failed result with its text: the target's form of a result with the failure's message below it,
 * or else the native text, in which the adapter's message replaces the native one. If the target has a form
 * for this failure (`ifNoUser`), the result counts as successful.
 */
function writeFailed(
  result: ToolResult,
  failure: Failure,
  target: AdapterTarget,
  words: AdapterVocabulary,
  values: ResultValues,
): ToolResult {
  const answer = answerTo(failure, target)
  if (answer) {
    const { failed: _, ...rest } = writeDone(result, answer, values)
    return rest
  }
  const failed = inAdapterWords(failure, target, words, values)
  if (target.result) {
    const done = writeDone(result, target.result, values)
    return { ...done, closing: failed.message, failed }
  }
  // The native result begins with the native message, which the adapter's message replaces.
  const before = failureResult(failure).text
  const text = result.text.startsWith(before)
    ? failureResult(failed).text + result.text.slice(before.length)
    : result.text
  return { ...result, text, failed }
}

/**
 * Returns the form in which a failure counts as a successful result. Only the failure `no_user_available`
 * can have one.
 */
const answerTo = ({ code }: Failure, { ifNoUser }: AdapterTarget) =>
  code === 'no_user_available' ? ifNoUser : undefined

function byFailure<T>(table: Partial<Record<FailureKey, T>> | undefined, failure: Failure): T | undefined {
  const key = failureKeys(failure).find((one) => table?.[one])
  return key && table?.[key]
}

function inAdapterWords(
  failure: Failure,
  target: AdapterTarget,
  words: AdapterVocabulary,
  values: ResultValues,
): Failure {
  const fault = byFailure(target.faults, failure)
  const filled = fault && {
    message: fault.message === undefined ? undefined : fillTemplate(fault.message, { ...values, failure }),
    hint: fault.hint === undefined ? undefined : fillTemplate(fault.hint, { ...values, failure }),
  }
  return rephraseFailure(failure, words, filled)
}
