// List of the calls that were denied because no user could answer. It names the mode that would have allowed
// each call, and finds out whether later calls had the same effect.
import type { Agent } from '../../agent/agent.ts'
import { addUnanswered, callSubject, type UnansweredCall } from '../../agent/unanswered-calls.ts'
import { FailureError, UserError } from '../../base/errors.ts'
import type { EventDraft } from '../../event/event.ts'
import { resolveFacts } from '../../policy/call-facts.ts'
import { type CallScope, isRead, levelActions, type Mode } from '../../policy/level.ts'
import { resolvePath } from '../../policy/paths/path-jail.ts'
import { authorizeCall } from '../../tool/authorization/authorize.ts'
import type { ApprovalHandler } from '../../tool/ctx.ts'

type ApprovalQuestion = Parameters<ApprovalHandler>[0]

export interface UnansweredCalls {
  readonly list: readonly UnansweredCall[]
  /**
   * Returns a handler that calls `ask` and lists the calls that it leaves unanswered. `agent` is not called
   * before the first such call.
   */
  watch(ask: ApprovalHandler, agent: () => Agent): ApprovalHandler
  /** Processes each event of the run. */
  observe(draft: EventDraft): void
  /** Returns true if a call was denied and no later call had its effect, such as a written file. */
  isMissing(): boolean
}

/** The effect that a denied call would have had, compared with later calls. */
interface DeniedEffect {
  /**
   * Files that the denied call would write and hosts that it would contact, without those that later calls
   * have written or contacted.
   */
  readonly targets: Set<string>
  /** Whether a later call has succeeded. */
  isFollowed: boolean
}

export function createUnansweredCalls(): UnansweredCalls {
  const list: UnansweredCall[] = []
  const effects: DeniedEffect[] = []
  const scopes = new Map<string, readonly CallScope[]>()
  let agent: (() => Agent) | undefined
  const reach = (target: string) => {
    for (const { targets } of effects) targets.delete(target)
  }
  return {
    list,
    watch(ask, current) {
      agent = current
      return async (question) => {
        const reply = await ask(question)
        if (reply.unanswered !== true) return reply
        const { tool, args, always } = question
        const [offer, more] = always ?? []
        const mode = await findMildestMode(question, current())
        const rule = more ? undefined : offer?.rule
        addUnanswered(list, { tool, subject: callSubject(args), mode, rule })
        const effect = await readEffect(question, current())
        if (effect) effects.push(effect)
        return reply
      }
    },
    observe(draft) {
      if (effects.length === 0 || agent === undefined) return
      if (draft.type === 'file.written') reach(draft.payload.path)
      if (draft.type === 'tool.call') scopes.set(draft.payload.call, draft.payload.scope ?? [])
      if (draft.type !== 'tool.result' || !draft.payload.ok) return
      const { ctx } = agent()
      for (const effect of effects) effect.isFollowed = true
      for (const scope of scopes.get(draft.payload.call) ?? []) {
        if (scope.kind === 'host') reach(scope.host)
        if (scope.kind === 'path' && scope.access === 'write')
          reach(resolvePath(ctx.cwd, ctx.policy.roots, scope.path).real)
      }
    },
    isMissing: () => effects.some(({ targets, isFollowed }) => targets.size > 0 || !isFollowed),
  }
}

/** Programs whose arguments name the files that they change. */
const fileWriters: ReadonlySet<string> = new Set(
  'chmod cp install ln mkdir mv rm rmdir tee touch truncate'.split(' '),
)

/**
 * Returns the effect that a call would have; undefined for a call that only reads, tests or builds. For an
 * unknown tool, the effect has no targets.
 */
async function readEffect(
  { tool, args }: ApprovalQuestion,
  { catalog, ctx }: Agent,
): Promise<DeniedEffect | undefined> {
  const unknown: DeniedEffect = { targets: new Set(), isFollowed: false }
  const entry = catalog.findNative(tool)
  if (!entry) return unknown
  const { name, level, access } = await entry.load()
  const call = { tool: name, level, args: { ...args }, scope: access?.({ ...args }, ctx).scope ?? [] }
  const { places, commands, hosts } = await resolveFacts(call, ctx.policy, ctx.cwd)
  const written = places.filter(({ access }) => access === 'write').map(({ place }) => place)
  const named = commands.flatMap(({ parts, writes }) => [
    ...writes,
    ...parts.flatMap(({ words, names }) => (fileWriters.has(words[0] ?? '') ? names : [])),
  ])
  const targets = new Set([...[...written, ...named].map(({ real }) => real), ...hosts])
  const isHarmless =
    commands.length > 0
      ? commands.every(({ parts, opaque }) => opaque === undefined && parts.every((part) => part.class))
      : isRead(level)
  return targets.size === 0 && isHarmless ? undefined : { targets, isFollowed: false }
}

/**
 * Returns the most restrictive mode that allows the call. Undefined if only a rule or a user can allow it, if
 * the tool is unknown, or if the check fails.
 */
async function findMildestMode(
  { tool, args }: ApprovalQuestion,
  { catalog, ctx }: Agent,
): Promise<Mode | undefined> {
  const entry = catalog.findNative(tool)
  if (!entry) return undefined
  const loaded = await entry.load()
  for (const mode of Object.keys(levelActions) as Mode[]) {
    const policy = { ...ctx.policy, mode }
    try {
      if ((await authorizeCall(loaded, { ...args }, { ...ctx, policy })).decision.action === 'allow')
        return mode
    } catch (error) {
      // an error, such as a path that has become unreadable, must not end the run
      if (error instanceof FailureError || error instanceof UserError) return undefined
      throw error
    }
  }
  return undefined
}
