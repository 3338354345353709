// Searches the contents of a tree's files, through ripgrep or else through grep.
import { type Failure, FailureError } from '../base/errors.ts'
import { countLines, meaningArgs } from './line-counts.ts'
import { lineBytes, reader } from './parse-hits.ts'
import type { Found, Wanted } from './query.ts'
import { complaint, type Means, ripgrep } from './ripgrep.ts'
import { type Shown, shelf } from './shelf.ts'
import { admits, countGuarded, type Tree, walkArgs } from './tree.ts'

/**
 * Files come in byte order of their names, lines in order. Throws FailureError `bad_args` for a pattern that the
 * engine does not understand and `unavailable` when there is no engine. A search
 * that ended early leaves what was found by then.
 */
export async function searchText(tree: Tree, wanted: Wanted, means: Means): Promise<Found> {
  const kept = shelf(wanted.room, wanted.max)
  const limits = { max: wanted.max, context: wanted.context, room: wanted.room }
  const read = reader(limits, (name) => admits(tree, name), kept)
  const args = await textArgs(tree, wanted)
  const ran = await ripgrep(args, tree.dir, means, read.take)
  if (!ran) return (await import('./posix.ts')).searchWithGrep(tree, wanted, means)

  const { binary } = read.end()
  const shown = kept.end()
  const opened = shown.files.length > 0 || ran.unreadable > 0 || ran.skipped.length > 0
  if (ran.exit === 2 && ran.message !== '' && !opened) throw new FailureError(refusal(ran.message))
  const capped = await countCapped(shown, tree, wanted, means)
  return {
    engine: 'ripgrep',
    ...shown,
    capped,
    skipped: await countGuarded(tree, ran.skipped),
    unreadable: ran.unreadable,
    binary,
    ended: ran.ended,
  }
}

/** Everything that ripgrep is told, in the form that `reader` reads. One match more than wanted shows that there are more. */
export async function textArgs(tree: Tree, wanted: Wanted, extra: readonly string[] = []): Promise<string[]> {
  const args = [...printing, `--max-count=${wanted.max + 1}`, ...meaningArgs(wanted), ...extra]
  if (wanted.context > 0) args.push(`--context=${wanted.context}`)
  const { walk, paths } = await walkArgs(tree)
  // the reader tells names from everything else by their ./
  return [...args, ...walk, ...(paths.length > 0 ? paths : ['--', './'])]
}

const printing = [
  '--heading',
  '--null',
  '--with-filename',
  '--line-number',
  '--column',
  '--no-mmap',
  `--max-columns=${lineBytes}`,
  '--max-columns-preview',
]

function refusal(message: string): Failure {
  const reason = complaint(message)
  const hint = /look-?around/.test(message)
    ? 'ripgrep has no look-around; match more and filter, or search for a literal part'
    : 'leave regex out to search for the text as it stands'
  return { code: 'bad_args', message: `pattern: ${reason}`, hint }
}

/** Counts to the end in the shown files that have more than was kept, in a second run over these alone. */
async function countCapped(shown: Shown, tree: Tree, wanted: Wanted, means: Means): Promise<Found['capped']> {
  const over = shown.files.filter((file) => file.matches > wanted.max)
  const names = wanted.exact ? over.map(({ name }) => name) : []
  const counts = await countLines(names, tree.dir, meaningArgs(wanted), means)
  return over.map(({ name }) => ({ name, total: counts.get(name) }))
}
