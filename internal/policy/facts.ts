// Looks up what a call touches before it is decided: paths through links, command lines through the shell grammar.
import { type FailureCode, FailureError, messageOf } from '../base/errors.ts'
import type { Access } from './effects.ts'
import { readyGlobs } from './glob.ts'
import type { Holding } from './holdings.ts'
import { toolFits } from './match.ts'
import { type Place, resolvePlace } from './path.ts'
import type { Call, Policy } from './policy.ts'
import type { Class } from './shell/classes.ts'
import type { ShellPart } from './shell/part.ts'

/** A part of a line with what the command classes of mode `auto` need to know. */
export interface LinePart extends ShellPart {
  /** The class that its words belong to; counts only when `touches` lie in the workspace. */
  class: Class['class'] | undefined
  /** Every place that its words may name. */
  touches: readonly Place[]
  /** It runs git, which obeys the repository's settings. */
  git: boolean
  /** Places that its words may name: operands, values of options, files that redirections read, globs expanded. */
  names: readonly Place[]
  /** Why its words may name others as well; undefined when `names` are all. */
  vague: string | undefined
  /** Those of them that lie outside of the workspace and of the added folders. */
  outside: readonly Place[]
  /** True when there were more names than are looked at. */
  cut: boolean
  /** What the program may do to the places that it names, and whether it works on whole folders. */
  access: Access
  moves: boolean
  /** It runs other parts of the line, which are judged by themselves. */
  wraps: boolean
  /** It may write where none of its words says. */
  anywhere: boolean
  /** It prints what lies below folders: see Class. */
  searches: Class['searches']
  /** Guarded places and secret names below folders that it names. */
  holds: readonly Holding[]
}

/** One command line, taken apart. */
export interface Line {
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
  writes: readonly Place[]
  /** True when a redirection writes to a file whose name is not known before it runs. */
  blind: boolean
}

/** A call whose scopes have been looked up. */
export interface Facts {
  call: Call
  places: readonly { place: Place; access: 'read' | 'write' }[]
  commands: readonly Line[]
  hosts: readonly string[]
  /** What could not be looked up; each of them denies the call. */
  faults: readonly { code: FailureCode; text: string }[]
}

/**
 * The facts of a call for `decide`. Relative paths start from `cwd`. Never rejects: what cannot be looked up becomes
 * a fault or an opaque line. Links are followed as they are now: open `place.real` afterwards, not the given path.
 */
export async function resolve(call: Call, policy: Policy, cwd: string): Promise<Facts> {
  const places: Facts['places'][number][] = []
  const commands: Line[] = []
  const hosts: string[] = []
  const faults: Facts['faults'][number][] = []
  try {
    await readyGlobs(patterns(policy, call))
    for (const scope of call.scope) {
      if (scope.kind === 'host') hosts.push(scope.host)
      else if (scope.kind === 'path') {
        places.push({ place: resolvePlace(cwd, policy.roots, scope.path), access: scope.access })
      } else {
        const at = resolvePlace(cwd, policy.roots, scope.cwd ?? '.')
        places.push({ place: at, access: 'read' })
        const [{ lineFacts }, { readyLines }] = await Promise.all([import('./line.ts'), import('./items.ts')])
        await readyLines()
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
function* patterns(policy: Policy, call: Call): Generator<string> {
  // a redirection is judged by the rules of the file tools as well
  const writes = call.scope.some((scope) => scope.kind === 'command')
  for (const rule of policy.rules) {
    const concerns = toolFits(rule, call.tool) || (writes && toolFits(rule, 'create_file'))
    if (rule.path !== undefined && concerns) yield rule.path
    if (rule.cwd !== undefined && concerns) yield rule.cwd
  }
  for (const parent of policy.parents) yield* patterns(parent, call)
}
