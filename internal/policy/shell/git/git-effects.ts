// Descriptions of git commands that are not known to only read.

/** Matches git commands that only print, so that a sandbox contains all their effects. */
const reading = new RegExp(
  [
    '^(?:remote(?: -v| --verbose)?$',
    'remote get-url .+',
    'config (?:--get|--get-all|--get-regexp|--list|-l|get|list)(?: .*)?$',
    '(?:fsck|count-objects|check-ignore|check-attr|var)(?! .*--lost)(?: .*)?$',
    'apply (?!.*(?:--app|--index|--cached|-3|--3|-N|--int))(?:.* )?--check(?: .*)?$',
    'stash (?:list|show)(?: .*)?$',
    'archive(?!.* (?:-o|--o|--r|--exe)) .*$',
    'bisect log$)',
  ].join('|'),
)

/** The effect of a command that opens connections. */
export const connecting = 'connects to a server'

const effects: readonly (readonly [RegExp, string])[] = [
  [/^(?:push|pull|fetch|clone|ls-remote|remote (?:update|show|prune))\b/, connecting],
  [/^submodule (?:add|update)\b/, connecting],
  [/^(?:remote|config)\b/, 'changes the settings of the repository'],
  [/^stash (?:drop|clear)\b/, 'deletes stashed changes'],
  [/^stash (?:pop|apply|branch)\b/, 'brings stashed changes back into the working tree'],
  [/^stash\b/, 'moves the changes of the working tree into a stash'],
  [/^(?:checkout (?:.* )?-[bB]|switch (?:.* )?-[cC])(?: |$)/, 'creates a branch and switches to it'],
  [
    /^(?:add|rm|mv|update-index|restore (?:.* )?(?:--staged|-S))(?: |$)/,
    'writes the index of the repository',
  ],
  [/^reset (?!.*--(?:hard|soft|merge|keep))/, 'writes the index of the repository'],
  [
    /^(?:restore|checkout (?:.* )?--(?: |$)|checkout \.|reset .*--hard)/,
    'discards changes in the working tree',
  ],
  [/^clean\b/, 'deletes files that git does not track'],
  [/^(?:checkout|switch)\b/, 'switches the working tree to another commit'],
  [/^apply\b/, 'changes files of the working tree'],
  [
    /^(?:branch|tag|update-ref|symbolic-ref|notes|worktree|bisect)\b/,
    'changes branches, tags or other names of commits',
  ],
  [
    /^(?:commit|merge|rebase|cherry-pick|revert|am|filter-branch|reset|replace)\b/,
    'changes the history of the repository',
  ],
]

/**
 * Returns what `git` with these words does, as the reason why it needs approval; undefined if the words
 * match `reading`. A command of the class `reading`, such as `git log`, must not be passed: it counts
 * as writing here.
 */
export function describeGitEffect(words: readonly string[]): string | undefined {
  const text = words.slice(1).join(' ')
  if (reading.test(text)) return undefined
  return effects.find(([form]) => form.test(text))?.[1] ?? 'may write to the repository'
}
