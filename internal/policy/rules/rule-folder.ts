// The check whether a permission rule for commands applies in a directory.
import { homeDir } from '../../base/dirs.ts'
import type { Policy } from '../policy.ts'
import type { CommandLine } from '../resolved-call.ts'
import type { PermissionRule } from './permission-rule.ts'
import { isRestrictive, placeFits } from './rule-match.ts'

/**
 * Returns the directories in which a rule applies, as a glob; undefined for all. Without `cwd`, a rule that
 * allows an exact line or a program with a relative path applies only in the workspace directory, because the
 * same words run another program in other directories.
 */
export function ruleFolderGlob(rule: PermissionRule): string | undefined {
  if (rule.cwd === '**') return undefined
  if (rule.cwd !== undefined || isRestrictive(rule) || rule.command === undefined) return rule.cwd
  const [program = ''] = rule.command.trim().split(/\s/)
  const relative = program.includes('/') && !/^["']?[/~]/.test(program)
  return rule.command.startsWith('=') || relative ? '.' : undefined
}

/**
 * Returns true if the rule applies in the directories of this line. For an exact line only the directory of
 * its start counts; otherwise every directory in which it may run must fit. A rule that denies or asks
 * applies if one of them fits or is unknown.
 */
export function appliesInFolder(rule: PermissionRule, line: CommandLine, policy: Policy): boolean {
  const folder = ruleFolderGlob(rule)
  if (folder === undefined) return true
  const fits = (dir: string) => {
    const place = { given: dir, named: dir, real: dir, exists: true, root: undefined, shown: dir }
    return placeFits({ ...rule, path: folder }, place, policy.roots.workspace, homeDir())
  }
  if (isRestrictive(rule)) return line.lost || line.dirs.some(fits)
  return rule.command?.startsWith('=') ? fits(line.cwd) : !line.lost && line.dirs.every(fits)
}
