// Rules about tools for files, as far as they also speak of what a shell command does with files.
import { homedir } from '../../base/home.ts'
import type { ResolvedPath } from '../paths/path-jail.ts'
import type { PathRoots, Policy } from '../policy.ts'
import { readerOf, speaksOfWriting } from '../tool-deeds.ts'
import type { PermissionRule } from './permission-rule.ts'
import { argFits, isRestrictive, placeFits, ruleConcerns } from './rule-match.ts'
import { matchWildcard } from './rule-pattern.ts'

/** What a rule speaks of, by the tools that it names. */
export interface RuleDeeds {
  runs: boolean
  /** The tool that shows files. */
  reads: string | undefined
  writes: boolean
}

export function deedsOf(rule: PermissionRule): RuleDeeds {
  const names = (name: string) => matchWildcard(rule.tool, name)
  return { runs: names('bash'), reads: readerOf(names), writes: speaksOfWriting(names) }
}

/** Whether a rule is kept to certain files, by a path or by arguments. */
export const isAboutFiles = (rule: PermissionRule): boolean =>
  rule.path !== undefined || Object.keys(rule.args ?? {}).length > 0

/** Whether a rule about files covers a place. */
export function fileRuleFits(rule: PermissionRule, place: ResolvedPath, { workspace }: PathRoots): boolean {
  if (!isAboutFiles(rule)) return false
  if (rule.path !== undefined && !placeFits(rule, place, workspace, homedir())) return false
  return Object.values(rule.args ?? {}).every((pattern) => argFits(pattern, [place.shown, place.given], true))
}

/**
 * Returns the check of `fileRuleFits` for the entries of a walk. With `isParentChecked` it compares the path
 * of the entry alone: a walk through a whole disk calls it very often.
 */
export function entryCheck(
  rule: PermissionRule,
  roots: PathRoots,
): (place: ResolvedPath, isParentChecked: boolean) => boolean {
  const { path, args } = rule
  // the arguments of a covered directory may have differed, so its entries are compared with both
  if (path === undefined || Object.keys(args ?? {}).length > 0)
    return (place) => fileRuleFits(rule, place, roots)
  const home = homedir()
  return (place, isParentChecked) => placeFits(rule, place, roots.workspace, home, isParentChecked)
}

/** Every rule of a policy and of those above it that keeps commands away from certain files. */
export function closedFileRules(policy: Policy): PermissionRule[] {
  const own = policy.rules.filter(
    (rule) => isRestrictive(rule) && rule.command === undefined && isAboutFiles(rule),
  )
  return [...own, ...policy.parents.flatMap(closedFileRules)]
}

/** Rules that forbid or ask about tools that show files, and that do not name a tool for commands. */
export const readingRules = (policy: Policy): PermissionRule[] =>
  policy.rules.filter((rule) => !deedsOf(rule).runs && speaksOfReading(rule, policy))

/** Rules of a policy, and of those above it, that keep tools which show files away from certain files. */
export const closedToReading = (policy: Policy): PermissionRule[] => [
  ...policy.rules.filter((rule) => isAboutFiles(rule) && speaksOfReading(rule, policy)),
  ...policy.parents.flatMap(closedToReading),
]

function speaksOfReading(rule: PermissionRule, policy: Policy): boolean {
  if (!isRestrictive(rule) || rule.command !== undefined || rule.host !== undefined) return false
  const { reads } = deedsOf(rule)
  if (reads === undefined) return false
  const { args: _, ...whole } = rule
  return ruleConcerns(whole, { tool: reads, level: 'auto_read', args: {}, scope: [] }, policy)
}

/** Whether a policy, or one above it, has a rule about tools that show files. */
export const hasReadingRules = (policy: Policy): boolean =>
  readingRules(policy).length > 0 || policy.parents.some(hasReadingRules)
