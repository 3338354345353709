// The one verb: the only way to run a tool, for a person, an agent, a face and a test alike.
import { now } from '../base/clock.ts'
import { codeOf, type Failure, FailureError, messageOf, UserError } from '../base/errors.ts'
import { boundData } from '../event/bound-data.ts'
import type { Decision } from '../policy/decide.ts'
import { type Effect, effectOf } from '../policy/level.ts'
import { askApproval } from './approval.ts'
import { type CallIds, newCallIds, recordOf } from './call-ids.ts'
import type { Catalog } from './catalog.ts'
import { clip, defaultClip } from './clip.ts'
import type { Ctx } from './ctx.ts'
import { gate } from './judge.ts'
import { parse } from './parse.ts'
import { failed, failedWith, type Result, withNotes } from './result.ts'
import { adaptArguments } from './spelling.ts'
import type { Tool } from './tool.ts'

export interface Request {
  name: string
  args: unknown
  /** Id that a model's reply gave the call. Endpoints use theirs again, so it names nothing here. */
  modelCall?: string
}

/** A result with what the gate and the clock add. */
export interface Invoked extends Result {
  /** The program's own number of the call: no two calls have the same. */
  call: string
  tool: string
  /** Present when `text` was cut; the whole is kept under the call's id. */
  truncated?: { lines: number; chars: number }
  ms: number
}

/** A call whose tool was found and whose arguments fit: nothing has been decided or done. */
export interface Found extends CallIds {
  tool: Tool
  /** Where the tool comes from, as the catalog has it. */
  origin: string
  args: Record<string, unknown>
  effect: Effect
  notes: readonly string[]
}

/** A call that may run. */
export interface Admitted extends Found {
  decision: Decision
  /** Real paths as they were judged, by the paths as given. */
  held: ReadonlyMap<string, string>
}

/**
 * Find, parse, available, validate, decide, ask, run, clip, record. Never rejects for anything a tool does: what
 * a tool throws becomes a failed result, `internal` when it is a bug. Rejects when the record cannot be kept.
 */
export async function invoke(catalog: Catalog, ctx: Ctx, request: Request): Promise<Invoked> {
  const found = await find(catalog, request, ctx)
  if ('ms' in found) return found
  const admitted = await admit(found, ctx)
  return 'ms' in admitted ? admitted : perform(admitted, ctx)
}

/** Finds the tool and reads the arguments. */
export async function find(catalog: Catalog, request: Request, ctx: Ctx): Promise<Found | Invoked> {
  const ids = newCallIds(ctx, request.modelCall)
  const refuse = (tool: string, result: Result) => refused(ctx, ids, tool, result)
  const entry = catalog.find(request.name)
  if (!entry || entry.hidden !== undefined) {
    return refuse(request.name, unknownTool(catalog, request.name, entry?.hidden))
  }
  const tool = await entry.load()
  const parsed = parse(tool.input, adaptArguments(request.name, request.args))
  if (!parsed.ok) {
    const hint = `see \`anode tools show ${tool.name}\``
    return refuse(
      tool.name,
      failed('bad_args', parsed.issues.join('; '), { hint, detail: { issues: parsed.issues } }),
    )
  }
  const args = parsed.args as Record<string, unknown>
  const effect = tool.effect?.(args) ?? effectOf(tool.level)
  return { ...ids, tool, origin: entry.origin, args, effect, notes: parsed.notes }
}

/** Everything between a call and its run. What was judged is what runs: arguments are not touched after this. */
export async function admit(found: Found, outer: Ctx): Promise<Admitted | Invoked> {
  const { call, modelCall, tool, args } = found
  const ctx: Ctx = { ...outer, call, modelCall }
  const refuse = (result: Result) => refused(ctx, found, tool.name, result)
  const usable = tool.available?.(ctx) ?? true
  if (usable !== true) return refuse(failed('unavailable', `${tool.name} is not available: ${usable}`))
  const judged = await look(tool.name, ctx, () => gate(tool, args, ctx))
  if ('failure' in judged) return refuse(failedWith(judged.failure))
  const { decision, held } = judged.value
  if (decision.action === 'deny') return refuse(refusal(tool.name, decision, undefined))
  // nobody is asked to approve what would fail anyway
  const checked = await look(tool.name, ctx, () => tool.validate?.(args, ctx))
  const broken = 'failure' in checked ? checked.failure : checked.value
  if (broken) return refuse(failedWith(broken))
  if (decision.action === 'ask') {
    const reply = await askApproval(found, decision, ctx)
    if (!reply.allow) return refuse(refusal(tool.name, decision, reply.why))
  }
  for (const around of ctx.around) {
    const verdict = await around.before?.(tool.name, args)
    if (verdict) return refuse(failed('denied', verdict.deny))
  }
  return { ...found, decision, held }
}

/** Runs an admitted call: intent on record, run, clip, result on record. */
export async function perform(admitted: Admitted, outer: Ctx): Promise<Invoked> {
  const { call, modelCall, tool, args, effect, notes, decision, held } = admitted
  const ctx: Ctx = { ...outer, call, modelCall, held }
  const placed = await look(tool.name, ctx, () => tool.scope?.(args, outer) ?? [])
  if ('failure' in placed) return refused(ctx, admitted, tool.name, failedWith(placed.failure))
  const scope = placed.value
  const started = now()
  const record = recordOf(admitted, tool.name)
  await ctx.log.append({
    type: 'tool.call',
    payload: { ...record, args, effect, scope, decision: decision.action },
  })
  const { closing = '', ...result } = await attempt(tool, args, ctx)
  const cut = clip(result.text, tool.clip ?? defaultClip)
  const whole = cut.chars > 0 ? await ctx.log.keep(call, withNotes(result.text, [closing])) : undefined
  const said = [closing, ...notes.map((note) => `note: ${note}`)]
  if (whole !== undefined)
    said.push(`note: the whole output is kept; page it with result {"call_id": "${call}"}`)
  const shown: Result = { ...result, text: withNotes(cut.text, said) }
  const ms = Math.round((now() - started) * 10) / 10
  await ctx.log.append({
    type: 'tool.result',
    payload: { ...record, ...outcome(shown), ms, ...(whole && { whole }) },
  })
  for (const around of ctx.around) await around.after?.(tool.name, args, shown)
  const truncated = cut.chars > 0 ? { lines: cut.lines, chars: cut.chars } : undefined
  return { ...shown, call, tool: tool.name, ms, ...(truncated && { truncated }) }
}

/** The result of a call that never ran, recorded like any other: every call has exactly one. */
export async function refused(ctx: Ctx, of: CallIds, tool: string, result: Result): Promise<Invoked> {
  await ctx.log.append({ type: 'tool.result', payload: { ...recordOf(of, tool), ...outcome(result) } })
  return { ...result, call: of.call, tool, ms: 0 }
}

/** A tool's own reading of its arguments and of the tree may fail; that is the call's result. */
async function look<T>(
  tool: string,
  ctx: Ctx,
  check: () => T | Promise<T>,
): Promise<{ value: T } | { failure: Failure }> {
  try {
    return { value: await check() }
  } catch (error) {
    return { failure: failureOf(error, tool, ctx) }
  }
}

function refusal(tool: string, decision: Decision, why: string | undefined): Result {
  const because = decision.reasons.filter((reason) => reason.action === decision.action).map((r) => r.text)
  const reasons = because.length > 0 ? because.join('; ') : 'no rule allows it'
  return failed(decision.code ?? 'denied', `${tool} was not allowed: ${reasons}`, {
    ...(why !== undefined && { hint: why }),
    detail: { action: decision.action, reasons: decision.reasons.map((r) => r.text) },
  })
}

async function attempt(tool: Tool, args: Record<string, unknown>, ctx: Ctx): Promise<Result> {
  if (ctx.signal.aborted) return failed('cancelled', `${tool.name} was cancelled before it started`)
  try {
    return await tool.run(args, ctx)
  } catch (error) {
    return failedWith(failureOf(error, tool.name, ctx))
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
export function unknownTool(catalog: Catalog, name: string, hidden?: string): Result {
  if (hidden !== undefined) {
    return failed('unavailable', `${name} is not offered here: ${hidden}`, {
      hint: 'see `anode tools list --all`',
    })
  }
  const near = name === '' ? [] : catalog.near(name)
  return failed('unknown_tool', name === '' ? 'the call names no tool' : `there is no tool named ${name}`, {
    hint: near.length > 0 ? `nearest: ${near.join(', ')}` : 'see `anode tools list`',
    detail: { nearest: near },
  })
}

function outcome({ failed: failure, text, data }: Result) {
  const exit = (data as { exit?: unknown } | null)?.exit
  return {
    ok: failure === undefined,
    text,
    ...(failure && { code: failure.code }),
    ...boundData(data),
    ...(typeof exit === 'number' && { exit }),
  }
}
