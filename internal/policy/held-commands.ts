// Commands that need no approval in mode `auto`, because their sandbox limits every effect that
// they may have.
import { type DecisionContext, makeReason, showWords } from './decision-item.ts'
import { effectiveMode } from './level.ts'
import { type DecisionCause, type DecisionReason, unsearchedPlaces } from './policy.ts'
import type { CommandLine, LinePart } from './resolved-call.ts'
import { connecting, describeGitEffect } from './shell/git/git-effects.ts'

/**
 * Returns true if the sandbox of a call replaces approvals: the call has a sandbox, and the policy has mode
 * `auto` and no preset.
 */
export const isHeld = ({ sandboxed, policy }: DecisionContext): boolean =>
  sandboxed && policy.preset === undefined && effectiveMode(policy.mode, policy.preset) === 'auto'

export function sandboxReason(what: string, line: CommandLine, context: DecisionContext): DecisionReason {
  if (context.unsearched)
    return { ...makeReason('wall', 'ask', `${what}: ${describeUnsearched(line)}`), cause: 'unsearched' }
  return makeReason('wall', 'allow', `${what}: the sandbox contains it`)
}

/**
 * Explains that a command needs approval although it runs in a sandbox, because not all directories were
 * searched for secrets, and how to avoid that.
 */
export function describeUnsearched({ line }: CommandLine): string {
  const rule = JSON.stringify({ tool: 'bash', command: `=${line}`, action: 'allow' })
  return `${unsearchedPlaces}; the rule ${rule} or a larger shell.searchLimit allows it`
}

/**
 * Matches the first words of commands that publish or change published packages, and all commands of programs
 * such as `gh`.
 */
const publishing = new RegExp(
  [
    `^(?:(?:npm|pnpm|yarn|bun|cargo|poetry|uv|hatch|flit|pdm|lerna|vsce|ovsx) publish`,
    `(?:npm|pnpm) (?:deprecate|unpublish|dist-tag|owner|access)|cargo (?:yank|owner)|twine upload`,
    `gem (?:push|yank)|(?:docker|podman|helm|oras|crane|buildah|dotnet nuget|mix hex) (?:image )?push`,
    String.raw`(?:mvn|gradle|gradlew) .*\b(?:deploy|publish)\b`,
    '(?:gh|glab|hub|goreleaser|semantic-release)(?: |$))',
  ].join('|'),
)

/**
 * Matches commands that delete directories or files without a copy, such as `rm -r`, `find -delete`, `rsync
 * --delete` and `shred`.
 */
const deleting = new RegExp(
  [
    String.raw`^(?:rm (?:.* )?(?:-\w*[rR]\w*|--recursive)(?: |$)|find .* (?:-delete|-exec(?:dir)? rm)(?: |$)`,
    `rsync .*--del|shred |fd .* (?:-x|-X|--exec|--exec-batch) rm(?: |$))`,
  ].join('|'),
)

/** Matches directories that a build creates again. */
const generated =
  /^(?:\.\/)?(?:[\w.-]+\/)*(?:dist|build|out|target|coverage|node_modules|__pycache__|\.next|\.cache)\/?$/

/**
 * Returns true for `rm` of only directories that a build creates again, each named in full and below
 * the working directory.
 */
function deletesGenerated(words: readonly string[]): boolean {
  const operands = words.slice(1).filter((word) => !word.startsWith('-'))
  const isPlain = (word: string) => generated.test(word) && !word.split('/').includes('..')
  return words[0] === 'rm' && operands.length > 0 && operands.every(isPlain)
}

/**
 * Returns why a simple command needs approval although it runs in a sandbox: it may write to a repository
 * or change its history, connect through git, publish, or delete files that cannot be restored. A git
 * command that only reads, and `rm` of directories that a build creates again, need none. Undefined if the
 * sandbox is enough.
 */
export function leavesSandbox(part: LinePart): Pick<DecisionReason, 'text' | 'cause'> | undefined {
  const [program = '', ...rest] = part.words
  const named = [program.slice(program.lastIndexOf('/') + 1), ...rest]
  const words = named.join(' ')
  const name = showWords(named)
  if (/^git(?: |$)/.test(words) && part.class !== 'reading') {
    const effect = describeGitEffect(named)
    if (effect !== undefined || part.opaque !== undefined || part.known < part.words.length)
      return { text: `${name} ${effect ?? 'may write to the repository'}`, cause: causeOfEffect(effect) }
  }
  if (/^(?:hg|jj|svn|bzr|fossil) /.test(words))
    return { text: `${name} may change the history of the repository`, cause: 'history' }
  if (publishing.test(words)) return { text: `${name} publishes`, cause: 'publishing' }
  if (deleting.test(words) && (part.opaque !== undefined || !deletesGenerated(part.words)))
    return { text: `${name} deletes more than could be brought back`, cause: 'deletion' }
  return undefined
}

/**
 * Returns the cause that is shown for a described effect of a command: `network` for a
 * connection, else `history`.
 */
export const causeOfEffect = (effect: string | undefined): DecisionCause =>
  effect === connecting ? 'network' : 'history'
