// In which folders a rule for commands holds.
import { homedir } from '../base/home.ts'
import type { Line } from './facts.ts'
import { placeFits, restricts } from './match.ts'
import type { Policy } from './policy.ts'
import type { Rule } from './rule.ts'

/**
 * The folders in which a rule holds, as a glob; undefined for all. Without `cwd` a rule that allows an exact line,
 * or a program by a relative path, holds in the workspace folder alone: elsewhere the same words run something else.
 */
export function folderOf(rule: Rule): string | undefined {
  if (rule.cwd === '**') return undefined
  if (rule.cwd !== undefined || restricts(rule) || rule.command === undefined) return rule.cwd
  const [program = ''] = rule.command.trim().split(/\s/)
  const relative = program.includes('/') && !/^["']?[/~]/.test(program)
  return rule.command.startsWith('=') || relative ? '.' : undefined
}

/**
 * Whether the rule holds where this line runs: for the exact line where it starts, for parts of lines in every folder
 * that the line may be in. A rule that forbids holds where it may apply.
 */
export function ruleFolder(rule: Rule, line: Line, policy: Policy): boolean {
  const folder = folderOf(rule)
  if (folder === undefined) return true
  const fits = (dir: string) => {
    const place = { given: dir, named: dir, real: dir, exists: true, root: undefined, shown: dir }
    return placeFits({ ...rule, path: folder }, place, policy.roots.workspace, homedir())
  }
  if (restricts(rule)) return line.lost || line.dirs.some(fits)
  return rule.command?.startsWith('=') ? fits(line.cwd) : !line.lost && line.dirs.every(fits)
}
