// Which tools do the same deed: a rule or a hook that forbids one of them has to cover the others.

/** Tools that can start a shell or a command line. */
const runners = [
  'bash',
  'bash_batch',
  'terminal_start',
  'terminal_write',
  'run_experiment',
  'init_experiment',
]

/** Tools that show the contents of files. */
const readers = ['read', 'multi_read', 'look_at', 'read_document', 'grep', 'finder']

/** Tools that change files. */
const writers = ['edit_file', 'create_file', 'apply_patch', 'fs_mkdir', 'fs_move', 'undo']

/** The tools that stand for a deed, with all that can do it. */
const deeds: readonly { heads: readonly string[]; tools: readonly string[] }[] = [
  { heads: ['bash'], tools: runners },
  { heads: ['read'], tools: readers },
  { heads: ['edit_file', 'create_file', 'apply_patch'], tools: writers },
]

/** Whether what speaks of `names` speaks of a deed that `tool` can do, under another name. */
export const doesDeedOf = (tool: string, names: (head: string) => boolean): boolean =>
  deeds.some(({ heads, tools }) => tools.includes(tool) && heads.some(names))

/** The tools that start commands, where `names` speaks of `bash`; else none. */
export const shellTools = (names: (head: string) => boolean): readonly string[] =>
  names('bash') ? runners : []
