// Groups of tools that can do the same. A rule or hook that forbids one of them has to cover the others too.

/** Tools that can start a shell or a command line. */
const runners = [
  'bash',
  'bash_batch',
  'terminal_start',
  'terminal_write',
  'run_experiment',
  'init_experiment',
  'prove',
  'research_compare',
]

/** Tools that show the contents of files. */
const readers = ['read', 'multi_read', 'look_at', 'read_document', 'grep', 'finder']

/** Tools that read a file whose path a call names, so that a rule about the path has to cover them. */
const openers = ['lsp', 'git_history', 'code_review', 'oracle', 'get_diagnostics', 'fs_move', 'study_verify']

/** Tools that change files or directories. */
const writers = ['edit_file', 'create_file', 'apply_patch', 'fs_mkdir', 'fs_move', 'undo']

/**
 * Groups of tools that can do the same. A rule that denies or asks about a tool in `heads` covers
 * all of `tools`.
 */
const deeds: readonly { heads: readonly string[]; tools: readonly string[] }[] = [
  { heads: ['bash'], tools: runners },
  { heads: ['read'], tools: readers },
  { heads: ['edit_file', 'create_file', 'apply_patch'], tools: writers },
]

/**
 * Returns true if a rule covers `tool` because it covers a main tool of the same group. `names` returns true
 * for tool names that the rule matches.
 */
export const doesDeedOf = (tool: string, names: (head: string) => boolean): boolean =>
  deeds.some(({ heads, tools }) => tools.includes(tool) && heads.some(names))

/** Returns the first tool that shows files and that `names` matches; undefined if it matches none. */
export const readerOf = (names: (head: string) => boolean): string | undefined => readers.find(names)

export const speaksOfWriting = (names: (head: string) => boolean): boolean => writers.some(names)

/**
 * Returns true if a rule about a path also covers `tool`. A rule for `read` covers the other tools that open
 * files. A rule for `edit_file`, `create_file` or `apply_patch` covers the tools that start commands. `names`
 * is true for tool names that the rule matches.
 */
export function reachesFilesOf(tool: string, names: (head: string) => boolean): boolean {
  if (openers.includes(tool)) return names('read')
  return runners.includes(tool) && ['edit_file', 'create_file', 'apply_patch'].some(names)
}

/** Returns the tools that start commands if `names` matches `bash`; otherwise none. */
export const shellTools = (names: (head: string) => boolean): readonly string[] =>
  names('bash') ? runners : []
