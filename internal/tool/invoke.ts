// Invokes a tool: the only way to run one, for a person, an agent, a server and a test alike.
import { monotonicNow } from '../base/clock.ts'
import { codeOf, type Failure, FailureError, messageOf, UserError } from '../base/errors.ts'
import { boundData } from '../event/bound-data.ts'
import type { PermissionDecision } from '../policy/decide.ts'
import { effectOf, type ToolEffect } from '../policy/level.ts'
import { adaptArguments } from './argument-aliases.ts'
import { authorizeCall } from './authorize.ts'
import { type CallIds, callEventFields, newCallIds } from './call-ids.ts'
import type { Catalog } from './catalog.ts'
import { clip, defaultClip } from './clip.ts'
import type { Ctx } from './ctx.ts'
import { parseArguments } from './parse.ts'
import { failedResult, failureResult, type ToolResult, withNotes } from './result.ts'
import type { Tool } from './tool.ts'

export interface CallRequest {
  name: string
  args: unknown
  /** Id that a model's reply gave the call. Endpoints use theirs again, so it names nothing here. */
  modelCall?: string
}

/** A result with what the gate and the clock add. */
export interface CallResult extends ToolResult {
  /** The program's own number of the call: no two calls have the same. */
  call: string
  tool: string
  /** Present when `text` was cut; the whole is kept under the call's id. */
  truncated?: { lines: number; chars: number }
  ms: number
}

/** A call whose tool was found and whose arguments fit: nothing has been decided or done. */
export interface ParsedCall extends CallIds {
  kind: 'parsed'
  tool: Tool
  /** Where the tool comes from, as the catalog has it. */
  origin: string
  args: Record<string, unknown>
  effect: ToolEffect
  notes: readonly string[]
}

/** A call that may run. */
export interface AuthorizedCall extends Omit<ParsedCall, 'kind'> {
  kind: 'authorized'
  decision: PermissionDecision
  /** Real paths as they were judged, by the paths as given. */
  judgedPaths: ReadonlyMap<string, string>
}

/** A call that will not run, with the result that is on record for it. */
export interface RefusedCall {
  kind: 'refused'
  result: CallResult
}

/**
 * Find, parse, available, decide, validate, ask, run, clip, record. Never rejects for anything a tool does:
 * what a tool throws becomes a failed result, `internal` when it is a bug. Rejects when the record cannot
 * be kept.
 */
export async function invoke(catalog: Catalog, ctx: Ctx, request: CallRequest): Promise<CallResult> {
  const found = await parseCall(catalog, request, ctx)
  if (found.kind === 'refused') return found.result
  const authorized = await admitCall(found, ctx)
  return authorized.kind === 'refused' ? authorized.result : performCall(authorized, ctx)
}

/** Finds the tool and reads the arguments. */
export async function parseCall(
  catalog: Catalog,
  request: CallRequest,
  ctx: Ctx,
): Promise<ParsedCall | RefusedCall> {
  const ids = newCallIds(ctx, request.modelCall)
  const refuse = (tool: string, result: ToolResult) => refusedCall(ctx, ids, tool, result)
  const entry = catalog.find(request.name)
  if (!entry || entry.hidden !== undefined) {
    return refuse(request.name, unknownToolResult(catalog, request.name, entry?.hidden))
  }
  const tool = await entry.load()
  const parsed = parseArguments(tool.input, adaptArguments(request.name, request.args))
  if (!parsed.ok) {
    const hint = `see \`anode tools show ${tool.name}\``
    return refuse(
      tool.name,
      failedResult('bad_args', parsed.issues.join('; '), { hint, detail: { issues: parsed.issues } }),
    )
  }
  const args = parsed.args as Record<string, unknown>
  const effect = tool.effect?.(args) ?? effectOf(tool.level)
  return { kind: 'parsed', ...ids, tool, origin: entry.origin, args, effect, notes: parsed.notes }
}

/** Everything between a call and its run. What was judged is what runs: arguments stay as they are. */
export async function admitCall(found: ParsedCall, outer: Ctx): Promise<AuthorizedCall | RefusedCall> {
  const { call, modelCall, tool, args } = found
  const ctx: Ctx = { ...outer, call, modelCall }
  const refuse = (result: ToolResult) => refusedCall(ctx, found, tool.name, result)
  const usable = tool.available?.(ctx) ?? true
  if (usable !== true) return refuse(failedResult('unavailable', `${tool.name} is not available: ${usable}`))
  const judged = await runCheck(tool.name, ctx, () => authorizeCall(tool, args, ctx))
  if (judged.kind === 'failed') return refuse(failureResult(judged.failure))
  const { decision, judgedPaths } = judged.value
  if (decision.action === 'deny') return refuse(refusal(tool.name, decision, undefined))
  // nobody is asked to approve what would fail anyway
  const checked = await runCheck(tool.name, ctx, () => tool.validate?.(args, ctx))
  if (checked.kind === 'failed') return refuse(failureResult(checked.failure))
  if (decision.action === 'ask') {
    // what only a question takes is no part of every start
    const { askApproval } = await import('./approval.ts')
    const reply = await askApproval(found, decision, ctx)
    if (!reply.allow) return refuse(refusal(tool.name, decision, reply.why))
  }
  for (const middleware of ctx.middleware) {
    const verdict = await middleware.before?.(tool.name, args)
    if (verdict) return refuse(failedResult('denied', verdict.deny))
  }
  return { ...found, kind: 'authorized', decision, judgedPaths }
}

/** Runs an admitted call: intent on record, run, clip, result on record. */
export async function performCall(authorized: AuthorizedCall, outer: Ctx): Promise<CallResult> {
  const { call, modelCall, tool, args, effect, notes, decision, judgedPaths } = authorized
  const ctx: Ctx = { ...outer, call, modelCall, judgedPaths }
  const placed = await runCheck(tool.name, ctx, () => tool.scope?.(args, outer) ?? [])
  if (placed.kind === 'failed') return refuseCall(ctx, authorized, tool.name, failureResult(placed.failure))
  const scope = placed.value
  const started = monotonicNow()
  const record = callEventFields(authorized, tool.name)
  await ctx.log.append({
    type: 'tool.call',
    payload: { ...record, args, effect, scope, decision: decision.action },
  })
  const { closing = '', ...result } = await attempt(tool, args, ctx)
  const cut = clip(result.text, tool.clip ?? defaultClip)
  const whole = cut.chars > 0 ? await ctx.log.keep(call, withNotes(result.text, [closing])) : undefined
  const trailing = [closing, ...notes.map((note) => `note: ${note}`)]
  if (whole !== undefined)
    trailing.push(`note: the whole output is kept; page it with result {"call_id": "${call}"}`)
  const shown: ToolResult = { ...result, text: withNotes(cut.text, trailing) }
  const ms = Math.round((monotonicNow() - started) * 10) / 10
  await ctx.log.append({
    type: 'tool.result',
    payload: { ...record, ...outcome(shown), ms, ...(whole && { whole }) },
  })
  for (const middleware of ctx.middleware) await middleware.after?.(tool.name, args, shown)
  const truncated = cut.chars > 0 ? { lines: cut.lines, chars: cut.chars } : undefined
  return { ...shown, call, tool: tool.name, ms, ...(truncated && { truncated }) }
}

async function refusedCall(...call: Parameters<typeof refuseCall>): Promise<RefusedCall> {
  return { kind: 'refused', result: await refuseCall(...call) }
}

/** The result of a call that never ran, recorded like any other: every call has exactly one. */
export async function refuseCall(
  ctx: Ctx,
  of: CallIds,
  tool: string,
  result: ToolResult,
): Promise<CallResult> {
  await ctx.log.append({ type: 'tool.result', payload: { ...callEventFields(of, tool), ...outcome(result) } })
  return { ...result, call: of.call, tool, ms: 0 }
}

/** A tool's own reading of its arguments and of the tree may fail; that is the call's result. */
async function runCheck<T>(
  tool: string,
  ctx: Ctx,
  check: () => T | Promise<T>,
): Promise<{ kind: 'passed'; value: T } | { kind: 'failed'; failure: Failure }> {
  try {
    return { kind: 'passed', value: await check() }
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error, tool, ctx) }
  }
}

function refusal(tool: string, decision: PermissionDecision, why: string | undefined): ToolResult {
  const because = decision.reasons.filter((reason) => reason.action === decision.action).map((r) => r.text)
  const reasons = because.length > 0 ? because.join('; ') : 'no rule allows it'
  return failedResult(decision.code ?? 'denied', `${tool} was not allowed: ${reasons}`, {
    ...(why !== undefined && { hint: why }),
    detail: { action: decision.action, reasons: decision.reasons.map((r) => r.text) },
  })
}

async function attempt(tool: Tool, args: Record<string, unknown>, ctx: Ctx): Promise<ToolResult> {
  if (ctx.signal.aborted) return failedResult('cancelled', `${tool.name} was cancelled before it started`)
  try {
    return await tool.run(args, ctx)
  } catch (error) {
    return failureResult(failureOf(error, tool.name, ctx))
  }
}

/** The Failure behind something a tool threw. */
function failureOf(error: unknown, tool: string, ctx: Ctx): Failure {
  if (error instanceof FailureError) return error.failure
  // what a person would have to mend is for a model an argument that does not fit
  if (error instanceof UserError) {
    const code = error.exit === 2 ? 'bad_args' : 'run_failed'
    return { code, message: error.message, ...(error.hint !== undefined && { hint: error.hint }) }
  }
  if (ctx.signal.aborted) return { code: 'cancelled', message: `${tool} was cancelled` }
  const code = codeOf(error)
  if (code !== undefined && /^E[A-Z0-9]+$/.test(code)) {
    return { code: 'io', message: `${tool}: ${messageOf(error)}`, detail: { errno: code } }
  }
  const detail = ctx.env.ANODE_DEBUG ? { stack: (error as Error)?.stack } : {}
  return { code: 'internal', message: `${tool} broke: ${messageOf(error)}`, detail }
}

/** The result of a call whose tool is not there, or is `hidden` for this reason. */
export function unknownToolResult(catalog: Catalog, name: string, hidden?: string): ToolResult {
  if (hidden !== undefined) {
    return failedResult('unavailable', `${name} is not offered here: ${hidden}`, {
      hint: 'see `anode tools list --all`',
    })
  }
  const near = name === '' ? [] : catalog.near(name)
  return failedResult(
    'unknown_tool',
    name === '' ? 'the call names no tool' : `there is no tool named ${name}`,
    {
      hint: near.length > 0 ? `nearest: ${near.join(', ')}` : 'see `anode tools list`',
      detail: { nearest: near },
    },
  )
}

function outcome({ failed: failure, text, data }: ToolResult) {
  const exit = (data as { exit?: unknown } | null)?.exit
  return {
    ok: failure === undefined,
    text,
    ...(failure && { code: failure.code }),
    ...boundData(data),
    ...(typeof exit === 'number' && { exit }),
  }
}
