// The rules that Anode offers for a command line that needs approval: one for the line, or one for each
// of its commands.

import type { DecisionItem } from '../decision-item.ts'
import { describeFolder } from '../permission-wording.ts'
import type { Policy, RuleOffer } from '../policy.ts'
import type { CallFacts, CommandLine, LinePart } from '../resolved-call.ts'
import { committingWords } from '../shell/git/commit-words.ts'
import { interpreterOf } from '../shell/programs/interpreters.ts'
import { loopbackPort } from '../shell/programs/loopback.ts'
import { findProgram } from '../shell/programs/program-table.ts'
import type { PermissionRule } from './permission-rule.ts'
import { escapeGlob } from './rule-match.ts'

/**
 * Matches the first words of commands that run a script of the project, such as `npm run build`. Further
 * words are passed to the script. A rule for them does not depend on the content of the script.
 */
const scripts =
  /^(?:(?:npm|pnpm|yarn|bun) (?:run|run-script) [\w:-]+|(?:npm|pnpm|yarn) (?:test|t)|deno task [\w:-]+)$/

/** Test and build runners whose offered rules include the second word, such as `cargo test`. */
const twoWords = new Set(
  (
    'bun deno go cargo make gmake ninja mvn gradle dotnet swift zig mix rake bazel sbt ' +
    'stack cabal playwright biome ruff meson phpstan golangci-lint'
  ).split(' '),
)

/**
 * Programs whose offered rules include the second word, such as `git status`. For pairs in `nested`, such as
 * `git:stash`, the rules include the third word too.
 */
const subcommands = new Set(
  (
    'git gh npm pnpm yarn bun deno docker podman kubectl helm terraform pip pip3 uv poetry conda brew apt ' +
    'apt-get dnf systemctl aws gcloud az heroku fly vercel svn hg rustup composer bundle gem nx turbo pm2'
  ).split(' '),
)
const nested = new Set(
  (
    'docker:compose docker:container docker:image docker:volume docker:network git:remote git:stash ' +
    'git:submodule git:worktree git:config gh:pr gh:issue gh:repo gh:run uv:pip nx:run pnpm:run npm:run ' +
    'yarn:run bun:run'
  ).split(' '),
)

/**
 * Returns the rules to offer for the command lines of a call; undefined if no rule can allow everything that
 * needs approval. Several lines get rules only if `policy.always` is `each`.
 */
export function proposeLines(
  rule: PermissionRule,
  facts: CallFacts,
  open: readonly DecisionItem[],
  policy: Policy,
): readonly RuleOffer[] | undefined {
  const { commands } = facts
  const { always, roots } = policy
  if (open.some((item) => item.kind === 'call')) return undefined
  if (always === 'each') {
    const offers = commands.flatMap((line) => {
      const lineItems = open.filter((item) => item.line === line)
      return lineItems.length === 0
        ? []
        : (proposeParts(rule, line, lineItems, roots.workspace) ?? [exactLine(rule, line, facts)])
    })
    return offers.length === 0 ? undefined : withoutDoubles(offers)
  }
  const [line, more] = commands
  return !line || more ? undefined : proposeLine(rule, line, facts, open, policy)
}

/**
 * Returns one rule for each simple command that needs approval; undefined if one of them can only be allowed
 * together with the whole line.
 */
function proposeParts(
  rule: PermissionRule,
  line: CommandLine,
  open: readonly DecisionItem[],
  workspace: string,
): RuleOffer[] | undefined {
  const folders = line.lost ? undefined : foldersOf(line, workspace)
  if (!folders || line.opaque !== undefined) return undefined
  const cwd = folders.length === 1 ? folders.join() : `{${folders.join()}}`
  const where = folders.map((folder) => describeFolder(folder)).join(' or ')
  const offers = open.map(({ part, limits, name }): RuleOffer | undefined => {
    const prefix = part && limits.length === 0 ? (prefixOf(part) ?? leadingWords(part)) : undefined
    if (!prefix) return undefined
    const { words, ...narrowed } = prefix
    return {
      rule: { ...rule, command: words, cwd, ...narrowed },
      covers: `${coveredCommands(prefix)}, run in ${where}`,
      parts: open.length > 1 ? [name] : undefined,
    }
  })
  return offers.every((offer) => offer !== undefined) ? offers : undefined
}

/**
 * Returns path patterns for the directories in which the line may run. Undefined for several directories if
 * one is outside the workspace or has a comma in its name.
 */
function foldersOf({ dirs }: CommandLine, workspace: string): string[] | undefined {
  const folders = [...new Set(dirs)].map((dir) =>
    dir === workspace ? '.' : dir.startsWith(`${workspace}/`) ? dir.slice(workspace.length + 1) : dir,
  )
  if (folders.length > 1 && folders.some((dir) => dir.startsWith('/') || dir.includes(','))) return undefined
  return folders.map(escapeGlob)
}

/**
 * Returns the first words that define what a command does. Undefined for a shell or interpreter, without a
 * needed second word, and if the words are uncertain, start another program or write a file.
 */
function leadingWords(part: LinePart): CommandPrefix | undefined {
  const { words } = part
  const [program = '', second = ''] = words
  if (part.opaque !== undefined || part.known < words.length || part.via.length > 0 || part.wraps)
    return undefined
  if (part.writes.length > 0 || !/^[\w./@+-]+$/.test(program)) return undefined
  if (interpreterOf(program) || findProgram('shells', program)) return undefined
  const depth =
    !subcommands.has(program) && !twoWords.has(program) ? 1 : nested.has(`${program}:${second}`) ? 3 : 2
  const lead = words.slice(0, depth)
  if (lead.length < depth || !lead.slice(1).every((word) => /^[a-z][\w:.-]*$/i.test(word))) return undefined
  return { words: lead.join(' ') }
}

/** Returns the offers without duplicates: equal rules become one offer for all parts that they allow. */
function withoutDoubles(offers: readonly RuleOffer[]): RuleOffer[] {
  const byText = new Map<string, RuleOffer>()
  for (const offer of offers) {
    const text = JSON.stringify(offer.rule)
    const parts = [...(byText.get(text)?.parts ?? []), ...(offer.parts ?? [])]
    byText.set(text, { ...offer, parts: parts.length > 0 ? [...new Set(parts)] : undefined })
  }
  return [...byText.values()]
}

/**
 * Returns one rule for each simple command that needs approval, if the line runs in one known directory and
 * the first words of each command decide its kind of effect. Otherwise returns one rule for the exact line.
 */
function proposeLine(
  rule: PermissionRule,
  line: CommandLine,
  facts: CallFacts,
  open: readonly DecisionItem[],
  policy: Policy,
): RuleOffer[] {
  const cwd = folderName(line, facts)
  const stays = line.dirs.length === 1 && !line.lost && line.opaque === undefined
  const prefixes = open.map(({ part, limits }) =>
    part && stays && limits.length === 0 ? (prefixOf(part) ?? commitPrefix(part, policy)) : undefined,
  )
  const offers = prefixes.flatMap((prefix, at) => {
    if (!prefix) return []
    const { words, ...narrowed } = prefix
    const covers = `${coveredCommands(prefix)}, run in ${describeFolder(cwd)}`
    const prefixRule = { ...rule, command: words, cwd: escapeGlob(cwd), ...narrowed }
    return [{ rule: prefixRule, covers, parts: open.length > 1 ? [open[at]?.name ?? ''] : undefined }]
  })
  return offers.length === open.length ? withoutDoubles(offers) : [exactLine(rule, line, facts)]
}

/** Describes the commands with certain first words that a rule covers. */
function coveredCommands({ words, class: only, port }: CommandPrefix): string {
  if (port !== undefined) return `every curl that only reads from this machine, at port ${port}`
  const begin = `every command that begins with "${words}"`
  if (scripts.test(words)) return `${begin}, with any arguments, also after the script has changed`
  if (only === undefined) return `${begin}, with any arguments`
  return only === 'building'
    ? `${begin}, with options that are known to only test or build`
    : `${begin}, with options that are known to only stage and commit (--amend, --no-verify and others ask)`
}

function exactLine(rule: PermissionRule, line: CommandLine, facts: CallFacts): RuleOffer {
  const cwd = folderName(line, facts)
  return {
    rule: { ...rule, command: `=${line.line}`, cwd: escapeGlob(cwd) },
    covers: `only this exact command, run in ${describeFolder(cwd)}, with any content of the files it uses`,
  }
}

/** Returns the directory that the line runs in, relative to the workspace if it is inside. */
function folderName(line: CommandLine, facts: CallFacts): string {
  return facts.places.find(({ place }) => place.real === line.cwd)?.place.shown ?? line.cwd
}

/**
 * The first words of commands, and whether a rule for them covers only a class or a port. Default: it covers
 * all such commands.
 */
interface CommandPrefix extends Pick<PermissionRule, 'class' | 'port'> {
  words: string
}

/**
 * Returns the prefix for commands that stage or commit, if the user trusts the workspace, because commits
 * run its programs.
 */
function commitPrefix(part: LinePart, { trusted }: Policy): CommandPrefix | undefined {
  if (!trusted || part.opaque !== undefined || part.known < part.words.length) return undefined
  const words = committingWords(part.words)
  return words === undefined ? undefined : { words, class: 'committing' }
}

/**
 * Returns the first words for the rule of a command that runs a script of the project, only tests or builds,
 * or reads from this machine with curl; undefined for others. Class or port limit the rule if the words
 * alone do not.
 */
function prefixOf(part: LinePart): CommandPrefix | undefined {
  if (part.opaque !== undefined || part.known < part.words.length) return undefined
  const [program = '', second, third] = part.words
  const short = [program, second].join(' ')
  const long = [program, second, third].join(' ')
  const script = [short, long].find((words) => scripts.test(words))
  if (script) return { words: script }
  const port = part.reads.length === 0 ? loopbackPort(part.words) : undefined
  if (port !== undefined) return { words: program, port }
  if (part.class !== 'building') return undefined
  const words = part.words.slice(0, twoWords.has(program) ? 2 : 1)
  if (!words.every((word) => /^[a-z][\w:.-]*$/i.test(word))) return undefined
  return { words: words.join(' '), class: 'building' }
}
