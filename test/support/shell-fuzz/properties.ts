// The properties of allowed commands: three policies, and the effects that each of them rules out.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Policy } from '../../../internal/policy/policy.ts'
import { allow, bash, deny, judge, policyOf, rootsOf } from '../../internal/policy/policies.ts'
import { ABROAD, type Canaries, differences, SECRET, snapshot } from './canaries.ts'
import type { Outcome } from './sandbox.ts'
import { ROOT } from './values.ts'

export const propertyNames = ['harmless', 'harmless-trusted', 'deny', 'allow'] as const
export type PropertyName = (typeof propertyNames)[number]

export interface Effect {
  /** The command that did it, or -1 if the traces alone do not show it. */
  line: number
  what: string
}

const writers = [
  'cp',
  'mv',
  'tee',
  'ln',
  'install',
  'dd',
  'touch',
  'mkdir',
  'rm',
  'chmod',
  'sed -i',
  'sort',
  'git',
  'ls',
  'cat',
]
const more = [
  'echo',
  'cd',
  'find',
  'tar',
  'rsync',
  'split',
  'truncate',
  'xargs',
  'sed',
  'awk',
  'true',
  'rmdir',
  'patch',
  'printf',
  'head',
]

export function policyFor(name: PropertyName, at: Canaries): Policy {
  if (name.startsWith('harmless')) {
    const roots = rootsOf(at.workspace, { temporary: join(at.root, 'tmp') })
    return policyOf(at.workspace, { mode: 'auto', trusted: name === 'harmless-trusted', roots })
  }
  if (name === 'allow')
    return policyOf(at.workspace, { mode: 'ask', rules: [...writers, ...more].map(allow) })
  const roots = rootsOf(at.workspace, { protected: [join(at.workspace, 'keep')] })
  return policyOf(at.workspace, { mode: 'unrestricted', rules: [deny('evil')], roots })
}

export const place = (line: string, at: Canaries): string => line.replaceAll(ROOT, at.root)

/** Whether a command may run without approval. The home directory must be that of `at`. */
export async function allowed(line: string, name: PropertyName, at: Canaries): Promise<boolean> {
  if (line.includes('\0')) return false
  const decision = await judge(bash(place(line, at)), policyFor(name, at))
  if (decision.action !== 'allow') return false
  // Builds and tests run programs of the workspace, which a user has trusted.
  return (
    name !== 'harmless-trusted' || !decision.reasons.some(({ text }) => /is a building command/.test(text))
  )
}

/** Returns all forbidden effects of the commands. */
export function effectsOf(
  lines: readonly string[],
  outcome: Outcome,
  name: PropertyName,
  at: Canaries,
): Effect[] {
  const changed = differences(at.fresh, snapshot(at.root)).filter((path) => !path.startsWith('record'))
  if (name === 'deny') {
    const ran = outcome.starts.filter(({ program }) => /(?:^|\/)evil$/.test(program))
    const kept = changed.filter((path) => /^ws\/keep(?:\/|$)/.test(path))
    return [...starts(ran), ...changes(kept)]
  }
  if (name === 'allow') return changes(changed.filter((path) => precious(path, at)))
  return [
    ...starts(outcome.starts),
    ...leaks(lines, outcome),
    ...changes(changed.filter((path) => path !== 'ws/.git/index' && !path.startsWith('tmp/'))),
  ]
}

const starts = (ran: Outcome['starts']): Effect[] =>
  ran.map(({ line, program }) => ({ line, what: `starts ${program.split('/').at(-1)}` }))

const changes = (paths: readonly string[]): Effect[] =>
  paths.length === 0 ? [] : [{ line: -1, what: `changes ${paths.slice(0, 3).join(', ')}` }]

/** Whether the path decides what runs later, is a key, or is a copy of a secret. */
function precious(path: string, at: Canaries): boolean {
  if (
    /(?:^|\/)(?:\.git\/(?:hooks|config)|\.anode|\.github|\.bashrc|\.env[^/]*|\.ssh|secrets\.yaml|key\.pem)(?:\/|$)/.test(
      path,
    )
  )
    return true
  const before = at.fresh.get(path)
  return before === undefined && holdsSecret(join(at.root, path))
}

function holdsSecret(path: string): boolean {
  try {
    return readFileSync(path, 'latin1').includes(SECRET)
  } catch {
    // a directory, or gone
    return false
  }
}

function leaks(lines: readonly string[], outcome: Outcome): Effect[] {
  return outcome.outputs.flatMap((text, line) => {
    if (text.includes(SECRET) && !lines[line]?.includes(SECRET)) return [{ line, what: 'prints a secret' }]
    if (text.includes(ABROAD)) return [{ line, what: 'lists a folder outside' }]
    return []
  })
}
