// The approvals that an automatic reviewer, a model, may give in place of the user: for commands whose
// effects stay in their sandbox.
import { decide } from './decide.ts'
import type { DecisionCause, Policy } from './policy.ts'
import type { CallFacts, CommandLine, LinePart } from './resolved-call.ts'
import type { PermissionRule } from './rules/permission-rule.ts'

/** Whether an automatic reviewer may answer a call that needs approval. */
interface ReviewScope {
  /** The reason why only the user may answer; undefined if the reviewer may. */
  barred: string | undefined
  /** True if mode `auto` allows the call only because of its sandbox. */
  held: boolean
}

/** Effects that stay in the sandbox, so that a reviewer may approve them. */
const reviewable: ReadonlySet<DecisionCause> = new Set(['history', 'deletion'])

/** Git commands that write history, index or working tree but no settings, so that a reviewer may answer. */
const gitCommands = new Set(
  (
    'add am apply branch checkout cherry-pick clean commit merge mv rebase reset restore revert rm stash ' +
    'switch'
  ).split(' '),
)

/**
 * Returns why only the user may answer the call, and whether the call is allowed only because of its sandbox.
 * A call in a sandbox is decided in mode `auto` without a preset, even if the session has another mode. The
 * list `also` contains what the user has additionally allowed the reviewer: `network:HOST` for calls in a
 * sandbox, and `tool:NAME` for calls without one.
 */
export function judgeReview(facts: CallFacts, policy: Policy, also: readonly string[]): ReviewScope {
  const { call, commands, sandboxed = false } = facts
  if (facts.faults.length > 0) return barReview('part of the call could not be checked')
  if (!sandboxed && also.includes(`tool:${call.tool}`)) return asUsual(facts, policy)
  if (!sandboxed || commands.length === 0) return barReview('no sandbox contains the call')
  if (call.scope.some((scope) => scope.kind === 'command' && scope.typed))
    return barReview('the shell of the command keeps running')
  const granted = facts.places.find((place) => place.granted)
  if (granted) return barReview(`the call asks to write ${granted.place.shown}`)
  const host = facts.hosts.find((one) => !also.includes(`network:${one}`))
  if (host !== undefined) return barReview(`the call asks for access to ${host}`)
  const anodeCommand = commands.flatMap(({ parts }) => parts).find(isAnode)
  if (anodeCommand) return barReview('the command runs Anode')
  return asUsual(facts, openPolicy(policy, hostRules(facts)))
}

/**
 * Decides the call by `policy` and returns whether a reviewer may answer all reasons for an approval. If the
 * policy allows the call, `held` is true if that is only because of its sandbox.
 */
function asUsual(facts: CallFacts, policy: Policy): ReviewScope {
  const decision = decide(facts, policy)
  if (decision.action === 'allow') return { barred: undefined, held: decision.held === true }
  const asking = decision.reasons.filter(({ action }) => action !== 'allow')
  const isOpened = facts.sandboxed !== true
  const firm = asking.find(
    ({ rule, cause, by }) =>
      rule !== undefined || by === 'gate' || by === 'path' || !(isOpened || (cause && reviewable.has(cause))),
  )
  if (decision.action === 'deny' || asking.length === 0 || firm)
    return barReview(firm?.text ?? 'the call could not be judged')
  const unread = isOpened ? undefined : facts.commands.map(findUnread).find((text) => text !== undefined)
  return unread === undefined ? { barred: undefined, held: false } : barReview(unread)
}

const barReview = (barred: string): ReviewScope => ({ barred, held: false })

/** Returns the policy and its parents in mode `auto`, without presets and with more rules. */
function openPolicy({ preset: _, ...policy }: Policy, more: readonly PermissionRule[]): Policy {
  const parents = policy.parents.map((parent) => openPolicy(parent, more))
  return { ...policy, mode: 'auto', rules: [...policy.rules, ...more], parents }
}

const hostRules = ({ hosts, call }: CallFacts): PermissionRule[] =>
  hosts.map((host) => ({ tool: call.tool, host, action: 'allow' }))

const isAnode = ({ words: [program = ''] }: LinePart) => /(?:^|\/)anode(?:\.cjs)?$/.test(program)

/**
 * Returns why a command that changes the repository could do more than its words show; otherwise undefined.
 * After approval, the sandbox lets the command write the history of the repository, so the effects of all its
 * simple commands have to be known.
 */
function findUnread(line: CommandLine): string | undefined {
  if (line.opaque !== undefined) return `the command is not fully understood: ${line.opaque}`
  if (line.blind || line.lost) return 'the command writes to a path that is only known at run time'
  const part = line.parts.find((one) => !isReadable(one))
  return part && `the effects of ${part.words.slice(0, 2).join(' ')} are not known`
}

function isReadable(part: LinePart): boolean {
  const [program = '', second = ''] = part.words
  if (part.opaque !== undefined || part.cut || part.outside.length > 0 || part.known < part.words.length)
    return false
  if (part.class === 'reading' || program === 'cd' || program === 'rm') return true
  return program === 'git' && gitCommands.has(second)
}
