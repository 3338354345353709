// The matching of simple commands with permission rules about files and about tools that show files.
import type { DecisionContext } from './decision-item.ts'
import type { ResolvedPath } from './paths/path-jail.ts'
import type { CommandLine, LinePart } from './resolved-call.ts'
import { deedsOf, fileRuleFits, isAboutFiles, type RuleDeeds, readingRules } from './rules/file-rules.ts'
import type { PermissionRule } from './rules/permission-rule.ts'
import type { RuleMatch } from './rules/rule-match.ts'
import { findProgram, isListed } from './shell/programs/program-table.ts'

interface MatchedRule {
  rule: PermissionRule
  match: RuleMatch
}

/**
 * Returns the rules about tools that show files (such as `read`) that match a simple command and are
 * not in `context.rules`.
 */
export function readingMatches(part: LinePart, line: CommandLine, context: DecisionContext): MatchedRule[] {
  return readingRules(context.policy)
    .filter((rule) => !context.rules.includes(rule))
    .map((rule) => ({ rule, match: matchFileRule(rule, part, line, context) }))
    .filter(({ match }) => match !== 'no')
}

/**
 * Returns the rules about tools that show files and that are not in `rules`, for a command line that could
 * not be parsed completely. Such a line may read any file, so each rule matches at least with `maybe`.
 */
export function doubtfulReads(line: CommandLine, { policy, rules }: DecisionContext): MatchedRule[] {
  const more = readingRules(policy).filter((rule) => !rules.includes(rule))
  return more.map((rule) => ({ rule, match: mentionMatch(rule, line, policy.roots) }))
}

/**
 * Returns how a rule that denies or asks matches a command line that could not be parsed completely: `yes` if
 * the rule is about certain files and the line's text mentions one of them, otherwise `maybe`.
 */
export const mentionMatch = (
  rule: PermissionRule,
  { mentions }: CommandLine,
  roots: DecisionContext['policy']['roots'],
): RuleMatch => (mentions.places.some((place) => fileRuleFits(rule, place, roots)) ? 'yes' : 'maybe')

/**
 * Returns how a rule that denies or asks about files matches a simple command. It compares the file names in
 * the words, the files that the command reads below directories, and the file names in code.
 */
export function matchFileRule(
  rule: PermissionRule,
  part: LinePart,
  line: CommandLine,
  { policy: { roots } }: DecisionContext,
): RuleMatch {
  const deeds = deedsOf(rule)
  if (!isAboutFiles(rule)) return deeds.runs ? 'no' : readingMatch(part, deeds)
  if (isHarmless(part, deeds)) return 'no'
  const fits = (place: ResolvedPath) => fileRuleFits(rule, place, roots)
  if (part.names.some(fits)) return 'yes'
  const isWriting = deeds.writes && !deeds.runs && deeds.reads === undefined
  const reaches = !isWriting || part.moves
  if (reaches && part.reaches.places.some(fits)) return part.reaches.sure ? 'yes' : 'maybe'
  const isUnread = part.unseen || (part.opaque !== undefined && !part.wraps)
  if (isUnread && line.mentions.places.some(fits)) return isWriting ? 'maybe' : 'yes'
  const mentioned = [...line.mentions.places, ...line.mentions.below]
  if ((isUnread || part.unknown) && (line.mentions.cut || mentioned.some(fits))) return 'maybe'
  if (part.cut || (reaches && part.reaches.cut)) return 'maybe'
  return part.vague !== undefined && part.words.length > 0 ? 'maybe' : 'no'
}

const programOf = ({ words: [first = ''] }: LinePart) => first.slice(first.lastIndexOf('/') + 1)

const gitCommand = (part: LinePart) =>
  programOf(part) === 'git' ? (part.words.slice(1).find((word) => !word.startsWith('-')) ?? '') : undefined

/**
 * Returns true if a simple command does nothing that the rule forbids: it only uses names of files, or it
 * only reads and the rule forbids only writes.
 */
function isHarmless(part: LinePart, { runs, reads, writes }: RuleDeeds): boolean {
  if (runs || part.unseen) return false
  if (reads === undefined) return writes && part.access === 'read' && part.opaque === undefined
  return usesNamesOnly(part)
}

/**
 * Returns true if a simple command never shows the content of a file: it lists, tests, creates or removes.
 */
function usesNamesOnly(part: LinePart): boolean {
  if (part.reads.length > 0 || part.wraps || part.unseen) return false
  const git = gitCommand(part)
  if (git !== undefined) return isListed('git namers', git)
  const program = programOf(part)
  // A program whose options are in the table counts as harmless only if all options of the command are known.
  const isRead = part.class === 'reading' || findProgram('reads', program) === undefined
  return isRead && isListed('names only', program)
}

/**
 * Returns how a rule that denies or asks about a tool that shows files, but names no files, matches
 * a simple command.
 */
function readingMatch(part: LinePart, { reads }: RuleDeeds): RuleMatch {
  // Other tools that show files, such as `look_at`, have no counterpart among shell programs.
  if (reads !== 'read' && reads !== 'grep') return 'no'
  if (part.wraps || usesNamesOnly(part)) return 'no'
  const isSearcher = isListed('searchers', programOf(part)) || gitCommand(part) === 'grep'
  if (reads === 'grep' && !isSearcher) return 'no'
  if (part.searches !== undefined) return 'yes'
  if (part.class === 'reading' && part.namesFile) return gitCommand(part) === undefined ? 'yes' : 'maybe'
  if (part.class !== undefined) return 'no'
  if (gitCommand(part) !== undefined && part.access === 'read') return 'no'
  const isUnread = part.unseen || part.opaque !== undefined || part.vague !== undefined || part.cut
  return part.words.length > 0 && (isUnread || part.namesFile) ? 'maybe' : 'no'
}
