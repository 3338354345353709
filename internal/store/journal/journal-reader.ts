// The reader of a study's journal, page by page.
import type { Journal, JournalLine } from './journal.ts'

const linesPerPage = 500

/**
 * Yields the lines whose `seq` is above `after`, in order. Ends at the last line that it finds, without
 * waiting for more.
 */
export async function* readJournalLines(
  journal: Pick<Journal, 'read'>,
  study: string,
  after = 0,
): AsyncGenerator<JournalLine, void> {
  for (let last = after; ; ) {
    const page = await journal.read(study, last, linesPerPage)
    yield* page
    last = page.at(-1)?.seq ?? last
    if (page.length < linesPerPage) return
  }
}

/** Returns all lines of the study's journal, in order. */
export async function listJournalLines(
  journal: Pick<Journal, 'read'>,
  study: string,
): Promise<JournalLine[]> {
  const lines: JournalLine[] = []
  for await (const line of readJournalLines(journal, study)) lines.push(line)
  return lines
}
