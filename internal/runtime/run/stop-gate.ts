// What decides when a run of a thread may end: its check.
import type { StopGate } from '../../agent/stop-gate.ts'
import { createUlid } from '../../base/ids.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { type GoalTerms, readGoal } from '../goal/goal-record.ts'
import type { GoalRequest } from '../goal/run-goal.ts'
import type { Runtime } from '../runtime.ts'

/** A check that a caller sets. */
export interface GoalOrder extends Omit<GoalTerms, 'id'> {
  firstCheck: GoalRequest['firstCheck']
}

export interface GoalOptions {
  /** A check that has to pass before the run may end. Default: the check of the resumed thread. */
  goal?: GoalOrder
}

export interface RunGate extends StopGate {
  /** Records what the gate has done before the run began. */
  announce(): Promise<void>
}

interface GateOptions extends GoalOptions {
  runtime: Runtime
  thread: string
  /** How the session started; a new thread has no check yet. */
  start?: 'new' | 'resume' | 'fork'
  note(text: string): void
}

/** Returns undefined if every answer without calls ends the run. Rejects with UserError. */
export async function openStopGate(options: GateOptions, ctx: Ctx): Promise<RunGate | undefined> {
  const { runtime, thread, goal: order, start, note } = options
  const recorded = start === 'new' ? undefined : readGoal(await runtime.resources.store(), thread)
  if (!order && !recorded) return undefined
  const { openRunGoal } = await import('../goal/run-goal.ts')
  const { data } = runtime.context
  const { firstCheck = 'skip', ...terms } = order ?? {}
  // the same commands keep the seal and the count of the thread; limits may change
  const isSame = recorded && (!order || isEqual(order.commands, recorded.terms.commands))
  const base = { ctx, data, note, firstCheck }
  if (isSame)
    return openRunGoal({ ...base, ...recorded, terms: { ...recorded.terms, ...terms }, isNew: false })
  const id = `g-${createUlid()}`
  return openRunGoal({
    ...base,
    terms: { ...(terms as GoalOrder), id },
    isNew: true,
    history: [],
    hasActed: false,
  })
}

const isEqual = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((one, i) => one === b[i])
