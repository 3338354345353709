// Planning mode of one session: the plan file in the data directory, and the policy while the agent
// may only plan.
import { copyFileSync, existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeDirectory } from '../../base/files/make-directory.ts'
import type { EventDraft } from '../../event/event.ts'
import type { Mode } from '../../policy/level.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Store } from '../../store/store.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { PlanCapability } from '../../tool/planning.ts'

export interface SessionPlanning extends PlanCapability {
  /** The mode that the user has chosen since the run began. Default: the mode of the run. */
  mode: Mode | undefined
  /** Returns `own` in the chosen mode. During planning, the result permits writing only to the plan file. */
  policyOf(own: Policy): Policy
}

interface PlanningParts {
  dataDir: string
  thread: string
  /** Current plan file of an earlier process, or of the thread from which this thread is a copy. */
  before: string | undefined
  /** Records that planning has started or ended. */
  report(draft: EventDraft): Promise<void>
}

/**
 * Creates the planning state. A thread has one Markdown file for its plan; `enter(true)` starts another file
 * if that file exists.
 */
export function createSessionPlanning({ dataDir, thread, before, report }: PlanningParts): SessionPlanning {
  const folder = join(dataDir, 'plans')
  const nameOf = (n: number) => `${thread}${n > 1 ? `-${n}` : ''}.md`
  let number = 1
  while (existsSync(join(folder, nameOf(number + 1)))) number++
  let file = before && existsSync(folder) ? takeOver(before, realpathSync(folder), nameOf(number)) : undefined
  return {
    mode: undefined,
    async enter(fresh) {
      const alreadyActive = file !== undefined
      if (fresh && existsSync(join(folder, nameOf(number)))) number++
      makeDirectory(folder, 0o700)
      // the path is resolved, because the policy compares real paths
      const path = join(realpathSync(folder), nameOf(number))
      if (path !== file) await report({ type: 'plan.changed', payload: { path } })
      file = path
      return { path, reused: existsSync(path), alreadyActive }
    },
    active: () => file,
    async leave() {
      if (file !== undefined) await report({ type: 'plan.changed', payload: { path: null } })
      file = undefined
    },
    policyOf({ mode, ...rest }) {
      const policy = { ...rest, mode: this.mode ?? mode }
      return file === undefined ? policy : planningPolicy(policy, file)
    },
  }
}

/**
 * Returns the path of the current plan file of this thread. If this thread is a copy, the plan `before` of
 * the other thread is copied to this path first, unless this thread already has a plan.
 */
function takeOver(before: string, folder: string, name: string): string {
  const planPath = join(folder, name)
  const isKept = dirname(before) === folder && basename(before) !== name && existsSync(before)
  if (isKept && !existsSync(planPath)) copyFileSync(before, planPath)
  return planPath
}

/** Returns the path of the thread's current plan file, or undefined if the thread is not planning. */
export function findThreadPlan(store: Store, thread: string): string | undefined {
  const last = store.threads.tail(thread, 1, ['plan.changed']).at(-1)
  return last?.type === 'plan.changed' ? (last.payload.path ?? undefined) : undefined
}

function planningPolicy(policy: Policy, file: string): Policy {
  const { roots } = policy
  return {
    ...policy,
    planning: file,
    roots: { ...roots, reading: [...(roots.reading ?? []), file], writing: [file] },
  }
}

/** Returns a context that uses the current planning policy for each call and each new subagent. */
export function withPlanning(ctx: Ctx, planning: SessionPlanning): Ctx {
  const { policy: basePolicy } = ctx
  const can = { ...ctx.can, plan: planning }
  return {
    ...ctx,
    can,
    get policy() {
      return planning.policyOf(basePolicy)
    },
  }
}
