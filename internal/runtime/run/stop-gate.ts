// Gates that decide when a run may end: the check of the thread, whose commands have to succeed, and the
// hooks for the event `Stop`.
import type { StopGate } from '../../agent/stop-gate.ts'
import { createUlid } from '../../base/ids.ts'
import type { SessionHooks } from '../../hook/hook-runner.ts'
import type { Profile } from '../../profile/profile.ts'
import type { Store } from '../../store/store.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { type GoalTerms, readGoal } from '../goal/goal-record.ts'
import type { GoalRequest } from '../goal/run-goal.ts'
import type { Runtime } from '../runtime.ts'

/** A check that the user or a program requests for a run, with its limits. */
export interface GoalOrder extends Omit<GoalTerms, 'id'> {
  firstCheck: GoalRequest['firstCheck']
}

/** Returns a check with at most 5 attempts and 10 minutes for each command, or undefined without commands. */
export function readGoalOrder(commands: readonly string[] = []): GoalOrder | undefined {
  if (commands.length === 0) return undefined
  const limits = { attempts: 5, timeout_ms: 600_000, seal: [], allow: [], network: [] }
  return { commands: [...commands], ...limits, firstCheck: 'run' }
}

export interface GoalOptions {
  /**
   * A check that has to pass before the run may end. Default: the check of the resumed thread, else that
   * of the profile.
   */
  goal?: GoalOrder
}

export interface RunGate extends StopGate {
  /**
   * Records the start of a new goal, and its first check if one ran before the run began. Does nothing for a
   * goal of an earlier run.
   */
  announce(): Promise<void>
  /** Runs the check once, if there is one, and records it unless it was interrupted. */
  checkNow(): Promise<void>
}

interface GateOptions extends GoalOptions {
  runtime: Runtime
  thread: string
  /** How the session started; a new thread has no check yet. */
  start?: 'new' | 'resume' | 'fork'
  /** The profile whose `until` commands are the check of a thread that has no other check. */
  profile?: Pick<Profile, 'until'>
  note(text: string): void
}

/**
 * Opens the check of a run, and the hooks for `Stop`, which run after the check has passed, or if there is no
 * check. Returns undefined if there are neither: then an answer without calls ends the run unless a message
 * has arrived. Rejects with UserError as `openRunGoal` does.
 */
export async function openStopGate(
  options: GateOptions,
  ctx: Ctx,
  hooks: SessionHooks,
): Promise<RunGate | undefined> {
  const hookGate = openHookGate(hooks, 'Stop', options.note)
  const goal = await openGoal(options, ctx)
  if (!goal && !hookGate) return undefined
  return {
    announce: async () => goal?.announce(),
    checkNow: async () => goal?.checkNow(),
    observe: (draft) => goal?.observe(draft),
    proof: () => goal?.proof(),
    atStop: async (answer) => (await goal?.atStop(answer)) ?? hookGate?.atStop(answer),
  }
}

/**
 * Opens the check of the run; returns undefined if neither the caller, the profile nor the thread has set
 * one. The check of the profile does not count once the user has ended the check of the thread.
 */
async function openGoal(options: GateOptions, ctx: Ctx): Promise<RunGate | undefined> {
  const { runtime, thread, start, note } = options
  const ofProfile = readGoalOrder(options.profile?.until)
  let { goal: order } = options
  if (start === 'new') order ??= ofProfile
  // the store opens while the model answers, so a run without a check must not wait for it
  if (!order && start === 'new') return undefined
  const store = await runtime.resources.store()
  const recorded = start === 'new' ? undefined : readGoal(store, thread)
  if (!recorded && ofProfile && !hasStoodDown(store, thread)) order ??= ofProfile
  if (!order && !recorded) return undefined
  const { openRunGoal } = await import('../goal/run-goal.ts')
  const { data } = runtime.context
  const { firstCheck = 'skip', ...terms } = order ?? {}
  // if the commands are the same, the stored original files and the count of attempts stay; limits may change
  const isSame = recorded && (!order || isEqual(order.commands, recorded.terms.commands))
  const base = { ctx, data, note, firstCheck }
  const request: GoalRequest = isSame
    ? { ...base, ...recorded, terms: { ...recorded.terms, ...terms }, isNew: false }
    : {
        ...base,
        terms: { ...(terms as GoalOrder), id: `g-${createUlid()}` },
        isNew: true,
        history: [],
        hasActed: false,
      }
  const goal = await openRunGoal(request)
  return {
    announce: () => goal.announce(),
    checkNow: () => goal.checkNow(),
    observe: (draft) => goal.observe(draft),
    proof: () => goal.proof(),
    async atStop(answer) {
      // the user may have ended the goal during the run
      return hasStoodDown(store, thread)
        ? { end: { end: 'partial', reason: 'stood_down', text: answer } }
        : goal.atStop(answer)
    },
  }
}

/** Returns true if the user has canceled the check of the thread. */
function hasStoodDown(store: Store, thread: string): boolean {
  const changed = store.threads.tail(thread, 1, ['goal.changed']).at(-1)
  return changed?.type === 'goal.changed' && changed.payload.goal === null
}

const isEqual = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((one, i) => one === b[i])

type StopEvent = 'Stop' | 'SubagentStop'

/**
 * Largest number of times that hooks may continue one run. The next refusal of a hook ends the run instead
 * of continuing it.
 */
const maxBlocks = 8

/**
 * Returns a gate that runs the hooks of `event` when the run would end; undefined without such hooks. If a
 * hook ends the run, `note` gets its reason.
 */
export function openHookGate(
  hooks: SessionHooks,
  event: StopEvent,
  note: (text: string) => void,
): StopGate | undefined {
  if (!hooks.has?.(event)) return undefined
  let blocks = 0
  return {
    async atStop(answer) {
      const state = { stop_hook_count: blocks, stop_hook_active: blocks > 0, last_assistant_message: answer }
      const refusal = await hooks.fire(event, state)
      if (!refusal) return undefined
      if (!refusal.isFinal && blocks < maxBlocks) {
        blocks++
        return { message: `A hook for ${event} continues the work: ${refusal.deny}` }
      }
      const why = refusal.isFinal ? '' : ` after it continued the run ${maxBlocks} times`
      note(`a hook for ${event} ended the run${why}: ${refusal.deny}`)
      return { end: { end: 'partial', reason: 'hook', text: answer } }
    },
    observe: () => undefined,
    proof: () => undefined,
  }
}
