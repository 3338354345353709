// The invocation of a tool. Users, agents, servers and tests all run tools through it.

import { codeOf, type Failure, FailureError, messageOf, UserError, userFailure } from '../base/errors.ts'
import { monotonicNow } from '../base/time-limit.ts'
import type { PermissionDecision } from '../policy/decide.ts'
import { type CallScope, effectOf, type ToolEffect } from '../policy/level.ts'
import { authorizeCall } from './authorization/authorize.ts'
import { type CallIds, callEventFields, newCallIds } from './call-ids.ts'
import type { Catalog, ToolEntry } from './catalog.ts'
import { fitResult, hiddenNote } from './clip/result-fit.ts'
import type { Ctx } from './ctx.ts'
import { withoutSecrets } from './field.ts'
import { parseArguments, unwrapArguments } from './parse.ts'
import { boundData, failedResult, failureResult, type ToolResult, withNotes } from './result.ts'
import type { CallAccess, Tool } from './tool.ts'

const loadRefusals = () => import('./authorization/refused-calls.ts')

export interface CallRequest {
  name: string
  args: unknown
  /** Id of the call in a model's response. Endpoints reuse ids, so it does not identify the call here. */
  modelCall?: string
}

/** A tool result with the facts of its call: id, tool name, size of the omitted text, and duration. */
export interface CallResult extends ToolResult {
  /** Anode's own id of the call, unique among the calls of a thread. */
  call: string
  tool: string
  /**
   * Size of the omitted part of the text. Set if `text` is truncated; the complete text is stored under
   * the call's id.
   */
  truncated?: { lines: number; chars: number }
  ms: number
}

/** A call with a known tool and valid arguments that has neither been decided nor run. */
export interface ParsedCall extends CallIds {
  kind: 'parsed'
  tool: Tool
  /** Source of the tool, as in the tool catalog. */
  origin: string
  args: Record<string, unknown>
  effect: ToolEffect
  notes: readonly string[]
  /** True if the caller has the tool that pages through truncated text. */
  hasPager: boolean
}

/** A call that was authorized and may run. */
export interface AuthorizedCall extends Omit<ParsedCall, 'kind'> {
  kind: 'authorized'
  decision: PermissionDecision
  access: CallAccess
  /** The real paths that the policy judged, by the paths that the call names. */
  judgedPaths: ReadonlyMap<string, string>
}

/** A call that will not run, with its recorded result. */
export interface RefusedCall {
  kind: 'refused'
  result: CallResult
}

/**
 * Runs a call in these steps: find the tool, parse, check availability, decide, validate, ask the user, run,
 * truncate and record. An error of a tool becomes a failed result, with the code `internal` for a bug.
 * Rejects if the tool cannot be loaded, the record cannot be stored, or an approval or middleware fails.
 */
export async function invoke(catalog: Catalog, ctx: Ctx, request: CallRequest): Promise<CallResult> {
  const parsedCall = await parseCall(catalog, request, ctx)
  if (parsedCall.kind === 'refused') return parsedCall.result
  const authorized = await admitCall(parsedCall, ctx)
  return authorized.kind === 'refused' ? authorized.result : performCall(authorized, ctx)
}

/**
 * Returns the parsed call, or the refused call with its result if the tool is not offered or the
 * arguments are invalid.
 */
export async function parseCall(
  catalog: Catalog,
  request: CallRequest,
  ctx: Ctx,
): Promise<ParsedCall | RefusedCall> {
  const ids = newCallIds(ctx.gate, request.modelCall)
  const refuse = (tool: string, result: ToolResult, adapter?: Tool['adapter']) =>
    refusedCall(ctx, ids, tool, result, adapter)
  const entry = catalog.find(request.name)
  if (!entry || entry.hidden !== undefined) {
    const about = { hidden: entry?.hidden, isModel: ids.modelCall !== undefined }
    return refuse(request.name, await (await loadRefusals()).unknownToolResult(catalog, request.name, about))
  }
  const raw = unwrapArguments(request.args)
  const tool = await entry.load(raw)
  const { adapter } = tool
  const parsed = await parseCallArguments(entry, tool, request.name, raw)
  if (!parsed.ok) {
    const { issues } = parsed
    return refuse(tool.name, failedResult('bad_args', issues.join('; '), { detail: { issues } }), adapter)
  }
  const parsedArgs = parsed.args as Record<string, unknown>
  const mapped = await runCheck(tool, ctx, () => adapter?.map(parsedArgs, ctx))
  if (mapped.kind === 'failed') return refuse(tool.name, failureResult(mapped.failure), adapter)
  const { args, notes } = mapped.value ?? { args: parsedArgs, notes: [] }
  const effect = tool.effect?.(args) ?? effectOf(tool.level)
  const all = [...parsed.notes, ...notes]
  const pager = catalog.find('result')
  const hasPager = pager !== undefined && pager.hidden === undefined
  return { kind: 'parsed', ...ids, tool, origin: entry.origin, args, effect, notes: all, hasPager }
}

/**
 * Parses the arguments of a call. If they do not fit a native tool, or the call uses another name of the
 * tool, reads them once more in the names and forms of other agents.
 */
async function parseCallArguments({ origin }: ToolEntry, tool: Tool, calledAs: string, raw: unknown) {
  const parsed = parseArguments(tool.input, raw)
  if (tool.adapter || origin !== 'native' || (parsed.ok && calledAs === tool.name)) return parsed
  const { args, notes } = (await import('./argument-aliases.ts')).adaptArguments(tool, calledAs, raw)
  const adapted = parseArguments(tool.input, args)
  return adapted.ok ? { ...adapted, notes: [...notes, ...adapted.notes] } : adapted
}

/**
 * Performs every step between the parsed call and its run: availability, decision, checks, approval and
 * middleware. Returns the authorized call, or the refused call with its result. The arguments stay as
 * they were judged.
 */
export async function admitCall(parsedCall: ParsedCall, outer: Ctx): Promise<AuthorizedCall | RefusedCall> {
  const { call, modelCall, tool, args } = parsedCall
  const ctx: Ctx = { ...outer, call: { id: call, modelCall } }
  const refuse = (result: ToolResult) => refusedCall(ctx, parsedCall, tool.name, result, tool.adapter)
  const usable = tool.available?.(ctx) ?? true
  if (usable !== true)
    return refuse(failedResult('unavailable', `${calledName(tool)} is not available: ${usable}`))
  const judged = await runCheck(tool, ctx, () => authorizeCall(tool, args, ctx))
  if (judged.kind === 'failed') return refuse(failureResult(judged.failure))
  const { access, judgedPaths, facts } = judged.value
  let { decision } = judged.value
  const { scope = [] } = access
  if (decision.action === 'deny') return refuse(await refusalOf(tool, decision, undefined))
  // A call that would fail anyway needs no approval, so the tool's checks come first.
  const checked = await runCheck(tool, ctx, () => tool.validate?.(args, ctx), scope)
  if (checked.kind === 'failed') return refuse(failureResult(checked.failure))
  if (decision.action === 'ask') {
    // This module is loaded only here, because only an approval needs it.
    const { settleAsked } = await import('./authorization/approval.ts')
    const settled = await settleAsked({ ...parsedCall, access, facts }, decision, ctx)
    decision = settled.decision
    if (settled.denied !== undefined) return refuse(await refusalOf(tool, decision, settled.denied))
  }
  for (const middleware of ctx.gate.middleware) {
    const verdict = await middleware.before?.(tool.name, args)
    if (verdict) return refuse(failedResult('denied', verdict.deny))
  }
  return { ...parsedCall, kind: 'authorized', decision, access, judgedPaths }
}

/** Runs an admitted call: records that it begins, runs the tool, truncates the result and records it. */
export async function performCall(authorized: AuthorizedCall, outer: Ctx): Promise<CallResult> {
  const { call, modelCall, tool, args, effect, notes, decision, judgedPaths } = authorized
  const { scope = [] } = authorized.access
  const { held: isHeld = false, action } = decision
  const approved = action === 'ask'
  const signal = outer.gate.callSignal?.(call, outer.signal) ?? outer.signal
  const room = outer.agent?.turnRoom?.reserve()
  const facts = { id: call, tool: tool.name, modelCall, judgedPaths, held: isHeld, approved }
  const agent = room === undefined ? outer.agent : { ...outer.agent, resultRoom: room }
  const ctx: Ctx = { ...outer, signal, call: facts, agent }
  const started = monotonicNow()
  const record = callEventFields(authorized, tool.name, tool.adapter)
  await ctx.log.append({
    type: 'tool.call',
    payload: { ...record, args: withoutSecrets(tool.input, args), effect, scope, decision: action },
  })
  const { closing = '', whole: uncut, ...result } = await runTool(authorized, ctx)
  const output = await fitResult({ ...result, whole: uncut }, authorized, ctx.agent?.resultRoom)
  const whole =
    output.whole === undefined ? undefined : await ctx.log.keep(call, withNotes(output.whole, [closing]))
  const allNotes = [...hiddenNote(output.hidden, scope), ...notes]
  const trailing = [closing, ...allNotes.map((note) => `note: ${note}`)]
  if (whole !== undefined) trailing.push(keptNote(tool, call, authorized.hasPager))
  const shownResult: ToolResult = { ...result, text: withNotes(output.text, trailing) }
  if (room !== undefined) outer.agent?.turnRoom?.release(room, shownResult.text.length)
  const ms = Math.round((monotonicNow() - started) * 10) / 10
  await ctx.log.append({
    type: 'tool.result',
    payload: { ...record, ...toOutcomeFields(shownResult), ms, whole: whole || undefined },
  })
  for (const middleware of ctx.gate.middleware) await middleware.after?.(tool.name, args, shownResult)
  const truncated = whole === undefined ? {} : { truncated: output.left }
  return { ...shownResult, call, tool: calledName(tool), ms, ...truncated }
}

/** Returns the tool name that the caller knows: that of the adapter, if the call uses one. */
const calledName = ({ adapter, name }: Tool) => adapter?.name ?? name

/**
 * Returns the note on how to read the complete text of a truncated result. Without a tool that pages through
 * it, the note contains only the id of the text, or advises a narrower call.
 */
function keptNote({ adapter }: Tool, call: string, hasPager: boolean): string {
  if (!adapter && !hasPager) return 'note: the rest is not shown; a narrower call shows it'
  const pager = adapter ? adapter.pager : 'result'
  if (pager === undefined) return `note: the whole output is kept as ${call}`
  return `note: the whole output is kept; page it with ${pager} {"call_id": "${call}"}`
}

async function refusedCall(...call: Parameters<typeof refuseCall>): Promise<RefusedCall> {
  return { kind: 'refused', result: await refuseCall(...call) }
}

/**
 * Records the result of a call that never ran, because every call has exactly one result, and returns it with
 * the id of the call.
 */
export async function refuseCall(
  ctx: Ctx,
  of: CallIds,
  tool: string,
  result: ToolResult,
  adapter?: Tool['adapter'],
): Promise<CallResult> {
  const payload = { ...callEventFields(of, tool, adapter), ...toOutcomeFields(result) }
  await ctx.log.append({ type: 'tool.result', payload })
  return { ...result, call: of.call, tool: adapter?.name ?? tool, ms: 0 }
}

/**
 * Runs a check of a tool. Returns the value of the check, or the failure that becomes the result of the call.
 */
async function runCheck<T>(
  tool: Tool,
  ctx: Ctx,
  check: () => T | Promise<T>,
  scope?: readonly CallScope[],
): Promise<{ kind: 'passed'; value: T } | { kind: 'failed'; failure: Failure }> {
  try {
    return { kind: 'passed', value: await check() }
  } catch (error) {
    return { kind: 'failed', failure: await failureOf(error, tool, ctx, scope) }
  }
}

async function refusalOf(
  tool: Tool,
  decision: PermissionDecision,
  why: string | undefined,
): Promise<ToolResult> {
  return (await loadRefusals()).refusedResult(calledName(tool), decision, why)
}

async function runTool({ tool, args, access }: AuthorizedCall, ctx: Ctx): Promise<ToolResult> {
  if (ctx.signal.aborted)
    return failedResult('cancelled', `${calledName(tool)} was cancelled before it started`)
  try {
    return await tool.run(args, ctx)
  } catch (error) {
    return failureResult(await failureOf(error, tool, ctx, access.scope ?? []))
  }
}

/** Returns the Failure of an error that a tool threw. */
async function failureOf(
  error: unknown,
  tool: Tool,
  ctx: Ctx,
  scope?: readonly CallScope[],
): Promise<Failure> {
  const name = calledName(tool)
  if (error instanceof FailureError) {
    const { failure } = error
    if (failure.code !== 'not_found' || failure.hint !== undefined || !scope) return failure
    return (await import('./failure/missing-path.ts')).explainMissingPath(failure, scope, ctx)
  }
  if (error instanceof UserError) return userFailure(error)
  if (ctx.signal.aborted) return { code: 'cancelled', message: `${name} was cancelled` }
  const code = codeOf(error)
  if (code !== undefined && /^E[A-Z0-9]+$/.test(code)) {
    return { code: 'io', message: `${name}: ${messageOf(error)}`, detail: { errno: code } }
  }
  const detail = ctx.env.ANODE_DEBUG ? { stack: (error as Error)?.stack } : {}
  return { code: 'internal', message: `${name} broke: ${messageOf(error)}`, detail }
}

function toOutcomeFields({ failed: failure, text, data }: ToolResult) {
  const { exit, pipe, pipes } = (data ?? {}) as { exit?: unknown; pipe?: number[]; pipes?: number[][] }
  return {
    ok: failure === undefined,
    text,
    code: failure?.code,
    ...boundData(data),
    exit: typeof exit === 'number' ? exit : undefined,
    pipe: Array.isArray(pipe) ? pipe : undefined,
    pipes: Array.isArray(pipes) ? pipes : undefined,
  }
}
