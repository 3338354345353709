// Looks up what a call touches before it is decided: paths through links, command lines through the shell grammar.
import { type FailureCode, FailureError, messageOf } from '../base/errors.ts'
import type { OperandAccess } from './part-effects.ts'
import { type ResolvedPath, resolvePath } from './paths/path-jail.ts'
import type { SensitiveContent } from './paths/sensitive-contents.ts'
import type { Policy, PolicyCall } from './policy.ts'
import { toolFits } from './rules/rule-match.ts'
import { loadGlobEngine } from './rules/rule-pattern.ts'
import type { CommandClass } from './shell/command-classes.ts'
import type { ShellPart } from './shell/shell-part.ts'

/** A part of a line with what the command classes of mode `auto` need to know. */
export interface LinePart extends ShellPart {
  /** The class that its words belong to; counts only when `touches` lie in the workspace. */
  class: CommandClass['class'] | undefined
  /** Every place that its words may name. */
  touches: readonly ResolvedPath[]
  /** It runs git, which obeys the repository's settings. */
  git: boolean
  /** Places that its words may name: operands, values of options, files that redirections read, globs expanded. */
  names: readonly ResolvedPath[]
  /** Why its words may name others as well; undefined when `names` are all. */
  vague: string | undefined
  /** Those of them that lie outside of the workspace and of the added folders. */
  outside: readonly ResolvedPath[]
  /** True when there were more names than are looked at. */
  cut: boolean
  /** What the program may do to the places that it names, and whether it works on whole folders. */
  access: OperandAccess
  moves: boolean
  /** It runs other parts of the line, which are judged by themselves. */
  wraps: boolean
  /** It may write where none of its words says. */
  anywhere: boolean
  /** It prints what lies below folders: see Class. */
  searches: CommandClass['searches']
  /** Guarded places and secret names below folders that it names. */
  sensitiveContents: readonly SensitiveContent[]
}

/** One command line, taken apart. */
export interface CommandLine {
  line: string
  /** Real path of the folder that it starts in. */
  cwd: string
  /** Every folder that it may be in; `lost` when it may also go where that cannot be told. */
  dirs: readonly string[]
  lost: boolean
  /** Every simple command it can run. */
  parts: readonly LinePart[]
  /** Set when something lies outside the understood grammar. */
  opaque: string | undefined
  /** Why git may show what lies elsewhere, where a part of it is git. */
  repository: string | undefined
  /** Files that redirections write to. */
  writes: readonly ResolvedPath[]
  /** True when a redirection writes to a file whose name is not known before it runs. */
  blind: boolean
}

/** A call whose scopes have been looked up. */
export interface CallFacts {
  call: PolicyCall
  places: readonly { place: ResolvedPath; access: 'read' | 'write' }[]
  commands: readonly CommandLine[]
  hosts: readonly string[]
  /** What could not be looked up; each of them denies the call. */
  faults: readonly { code: FailureCode; text: string }[]
}

/**
 * The facts of a call for `decide`. Relative paths start from `cwd`. Never rejects: what cannot be looked up becomes
 * a fault or an opaque line. Links are followed as they are now: open `place.real` afterwards, not the given path.
 */
export async function resolveFacts(call: PolicyCall, policy: Policy, cwd: string): Promise<CallFacts> {
  const places: CallFacts['places'][number][] = []
  const commands: CommandLine[] = []
  const hosts: string[] = []
  const faults: CallFacts['faults'][number][] = []
  try {
    await loadGlobEngine(patterns(policy, call))
    for (const scope of call.scope) {
      if (scope.kind === 'host') hosts.push(scope.host)
      else if (scope.kind === 'path') {
        places.push({ place: resolvePath(cwd, policy.roots, scope.path), access: scope.access })
      } else {
        const at = resolvePath(cwd, policy.roots, scope.cwd ?? '.')
        places.push({ place: at, access: 'read' })
        const [{ lineFacts }, { loadLineItems }] = await Promise.all([
          import('./line-facts.ts'),
          import('./decision-items.ts'),
        ])
        await loadLineItems()
        commands.push(await lineFacts(scope.line, at.real, policy))
      }
    }
  } catch (error) {
    const failure = error instanceof FailureError ? error.failure : undefined
    faults.push({
      code: failure?.code ?? 'denied',
      text: failure?.message ?? `not judged: ${messageOf(error)}`,
    })
  }
  return { call, places, commands, hosts, faults }
}

/** Path patterns that may be asked for, of the policy and of all above it. */
function* patterns(policy: Policy, call: PolicyCall): Generator<string> {
  // a redirection is judged by the rules of the file tools as well
  const writes = call.scope.some((scope) => scope.kind === 'command')
  for (const rule of policy.rules) {
    const concerns = toolFits(rule, call.tool) || (writes && toolFits(rule, 'create_file'))
    if (rule.path !== undefined && concerns) yield rule.path
    if (rule.cwd !== undefined && concerns) yield rule.cwd
  }
  for (const parent of policy.parents) yield* patterns(parent, call)
}
