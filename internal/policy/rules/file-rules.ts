// Permission rules about file tools, and the check which shell commands they cover because these commands
// read or write files too.
import { homeDir } from '../../base/dirs.ts'
import type { ResolvedPath } from '../paths/path-jail.ts'
import type { PathRoots, Policy } from '../policy.ts'
import { readerOf, speaksOfWriting } from '../tool-deeds.ts'
import type { PermissionRule } from './permission-rule.ts'
import { argFits, isRestrictive, matchWildcard, placeFits, ruleConcerns } from './rule-match.ts'

/** Kinds of tools that a rule covers: tools that run commands, show files, or write files. */
export interface RuleDeeds {
  runs: boolean
  /** The tool that shows files and that the rule covers; undefined if it covers none. */
  reads: string | undefined
  writes: boolean
}

export function deedsOf(rule: PermissionRule): RuleDeeds {
  const names = (name: string) => matchWildcard(rule.tool, name)
  return { runs: names('bash'), reads: readerOf(names), writes: speaksOfWriting(names) }
}

/** Returns true if a rule is limited to certain files, by a path or by arguments. */
export const isAboutFiles = (rule: PermissionRule): boolean =>
  rule.path !== undefined || Object.keys(rule.args ?? {}).length > 0

/** Returns true if a rule about files covers a path. */
export function fileRuleFits(rule: PermissionRule, place: ResolvedPath, { workspace }: PathRoots): boolean {
  if (!isAboutFiles(rule)) return false
  if (rule.path !== undefined && !placeFits(rule, place, workspace, homeDir())) return false
  return Object.values(rule.args ?? {}).every((pattern) => argFits(pattern, [place.shown, place.given], true))
}

/**
 * Returns a function like `fileRuleFits` for the entries of a directory walk. With `isParentChecked`, it
 * compares only the path of the entry and not its parents, because it is called for every file of a disk.
 */
export function entryCheck(
  rule: PermissionRule,
  roots: PathRoots,
): (place: ResolvedPath, isParentChecked: boolean) => boolean {
  const { path, args } = rule
  // A rule with arguments may fit a file although it did not fit the directory, so its entries
  // are compared completely.
  if (path === undefined || Object.keys(args ?? {}).length > 0)
    return (place) => fileRuleFits(rule, place, roots)
  const home = homeDir()
  return (place, isParentChecked) => placeFits(rule, place, roots.workspace, home, isParentChecked)
}

/**
 * Returns every rule of a policy and its parents that denies or asks about certain files without a command
 * pattern. Such rules apply to commands too.
 */
export function closedFileRules(policy: Policy): PermissionRule[] {
  const ownRules = policy.rules.filter(
    (rule) => isRestrictive(rule) && rule.command === undefined && isAboutFiles(rule),
  )
  return [...ownRules, ...policy.parents.flatMap(closedFileRules)]
}

/**
 * Returns the rules of a policy, without those of its parents, that deny or ask about tools that show files.
 * Rules with a command or a host, and rules that also cover tools for commands, are left out.
 */
export const readingRules = (policy: Policy): PermissionRule[] =>
  policy.rules.filter((rule) => !deedsOf(rule).runs && speaksOfReading(rule, policy))

/** Returns every rule of a policy and its parents that denies or asks when a tool shows certain files. */
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

/** Returns true if a policy or one of its parents has a rule that `readingRules` returns. */
export const hasReadingRules = (policy: Policy): boolean =>
  readingRules(policy).length > 0 || policy.parents.some(hasReadingRules)
