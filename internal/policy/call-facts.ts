// Facts about a call on which its permission decision depends: its paths with links followed, and the simple
// commands of its command lines.
import { FailureError, messageOf } from '../base/errors.ts'
import { loadLineItems } from './decision-items.ts'
import type { HostQuestion } from './level.ts'
import { resolvePath } from './paths/path-jail.ts'
import type { Policy, PolicyCall } from './policy.ts'
import type { CallFacts, CommandLine } from './resolved-call.ts'
import { loadLineOffers } from './rules/rule-offer.ts'

/**
 * Returns the facts of a call for `decide`. Relative paths start from `cwd`. Never rejects: a path or line
 * that cannot be resolved becomes a fault, which denies the call. Links are followed only once, so callers
 * must open `place.real` afterwards and not the original path.
 */
export async function resolveFacts(
  call: PolicyCall,
  policy: Policy,
  cwd: string,
  sandboxed = false,
): Promise<CallFacts> {
  const places: CallFacts['places'][number][] = []
  const commands: CommandLine[] = []
  const hosts: string[] = []
  const hostQuestions = new Map<string, HostQuestion>()
  const faults: CallFacts['faults'][number][] = []
  try {
    for (const scope of call.scope) {
      if (scope.kind === 'host') {
        hosts.push(scope.host)
        if (scope.asks) hostQuestions.set(scope.host, scope.asks)
      }
      if (scope.kind === 'path') {
        const { access, granted } = scope
        const place = resolvePath(cwd, policy.roots, scope.path)
        places.push({ place, access, granted: granted || undefined })
      }
      if (scope.kind === 'command') {
        const at = resolvePath(cwd, policy.roots, scope.cwd ?? '.')
        const { typed } = scope
        // the shell that runs already may be in a directory outside the workspace; its typed command then
        // needs approval anyway, so the directory is not judged
        if (!typed || at.root !== undefined) places.push({ place: at, access: 'read' })
        const { lineFacts } = await import('./line-facts.ts')
        await Promise.all([loadLineItems(), loadLineOffers()])
        // A running shell may have set TMPDIR in an earlier command, so the value of TMPDIR is unknown
        // for typed commands.
        const lasting = typed ? { ...policy, roots: { ...policy.roots, temporary: undefined } } : policy
        const line = await lineFacts(scope.line, at.real, lasting)
        commands.push(
          typed ? (await import('./typed-line.ts')).judgeTypedLine(line, typed, at, sandboxed) : line,
        )
      }
    }
  } catch (error) {
    const failure = error instanceof FailureError ? error.failure : undefined
    faults.push({
      code: failure?.code ?? 'denied',
      text: failure?.message ?? `not judged: ${messageOf(error)}`,
    })
  }
  return {
    call,
    places,
    commands,
    hosts,
    hostQuestions: hostQuestions.size > 0 ? hostQuestions : undefined,
    faults,
    sandboxed: sandboxed || undefined,
  }
}
