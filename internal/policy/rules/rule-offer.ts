// The rule that is offered for the answer "always": no wider than what was asked, and what it lets through in
// words.

import type { DecisionItem } from '../decision-item.ts'
import { describeFolder } from '../permission-wording.ts'
import type { RuleOffer } from '../policy.ts'
import type { CallFacts, CommandLine, LinePart } from '../resolved-call.ts'
import type { PermissionRule } from './permission-rule.ts'
import { ruleFolderGlob } from './rule-folder.ts'
import { isRestrictive } from './rule-match.ts'
import { escapeGlob } from './rule-pattern.ts'

/**
 * Further words go to a script of the project, whose name these words end with; what changes that asks
 * anyway.
 */
const scripts =
  /^(?:(?:npm|pnpm|yarn|bun) (?:run|run-script) [\w:-]+|(?:npm|pnpm|yarn) (?:test|t)|deno task [\w:-]+)$/

/** Test and build runners that say with their second word what they do. */
const twoWords = new Set(
  (
    'bun deno go cargo make gmake ninja mvn gradle dotnet swift zig mix rake bazel sbt ' +
    'stack cabal playwright biome ruff meson phpstan golangci-lint'
  ).split(' '),
)

/** The rule for the items that ask, or undefined where no single rule could answer for them. */
export function proposeRule(facts: CallFacts, open: readonly DecisionItem[]): RuleOffer | undefined {
  const rule = { tool: facts.call.tool, action: 'allow' as const }
  const [first] = open
  if (!first) return undefined
  // rules that ask stand above rules that allow, and guarded places above all of them
  if (open.some((item) => item.rules.some(({ rule }) => isRestrictive(rule)))) return undefined
  const limits = open.flatMap((item) => item.limits.filter((limit) => !limit.doubt))
  if (limits.some((limit) => limit.code !== 'sensitive_path')) return undefined
  if (facts.commands.length > 0) return limits.length > 0 ? undefined : proposeLine(rule, facts, open)
  if (open.length > 1) return undefined
  const every = `every call of ${rule.tool}`
  if (first.place) {
    const { shown } = first.place
    return { rule: { ...rule, path: escapeGlob(shown) }, covers: `${every} on ${shown}` }
  }
  if (first.kind === 'host')
    return { rule: { ...rule, host: first.name }, covers: `${every} to ${first.name}` }
  return { rule, covers: `${every}, whatever its arguments` }
}

function proposeLine(
  rule: PermissionRule,
  facts: CallFacts,
  open: readonly DecisionItem[],
): RuleOffer | undefined {
  const [line, more] = facts.commands
  if (!line || more || open.some((item) => item.kind === 'call')) return undefined
  const cwd = folderName(line, facts)
  const where = `run in ${describeFolder(cwd)}`
  const only = open.length === 1 && open[0]?.limits.length === 0 ? open[0].part : undefined
  const prefix = only && line.dirs.length === 1 && !line.lost ? prefixOf(only) : undefined
  if (!prefix) {
    const exact = { ...rule, command: `=${line.line}`, cwd: escapeGlob(cwd) }
    return { rule: exact, covers: `only this very line, ${where}, whatever the files it uses hold then` }
  }
  const { words, known } = prefix
  const how = known ? 'with options that are known to only test or build' : 'whatever follows'
  return {
    rule: { ...rule, command: words, cwd: escapeGlob(cwd), ...(known && { class: 'building' as const }) },
    covers: `every command that begins with "${words}", ${how}, ${where}`,
  }
}

/** The folder that the line runs in, relative to the workspace where it lies inside. */
function folderName(line: CommandLine, facts: CallFacts): string {
  return facts.places.find(({ place }) => place.real === line.cwd)?.place.shown ?? line.cwd
}

/** The first words of a command, where all that begins with them is of one kind. */
function prefixOf(part: LinePart): { words: string; known: boolean } | undefined {
  if (part.opaque !== undefined || part.known < part.words.length) return undefined
  const [program = '', second, third] = part.words
  const short = [program, second].join(' ')
  const long = [program, second, third].join(' ')
  const script = [short, long].find((words) => scripts.test(words))
  if (script) return { words: script, known: false }
  if (part.class !== 'building') return undefined
  const words = part.words.slice(0, twoWords.has(program) ? 2 : 1)
  if (!words.every((word) => /^[a-z][\w:.-]*$/i.test(word))) return undefined
  return { words: words.join(' '), known: true }
}

/**
 * An answer as it holds now. One that was stored without a folder, before answers kept theirs, holds in the
 * workspace folder: where it was given is not known, and elsewhere the same words may run something else.
 */
export function readAnswer(rule: PermissionRule): PermissionRule {
  if (rule.command === undefined || rule.cwd !== undefined) return rule
  return { ...rule, cwd: ruleFolderGlob(rule) ?? '.' }
}
