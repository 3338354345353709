// Reads a journal whose lines do not fit on one page.
import { expect, test } from 'vitest'
import { listJournalLines, readJournalLines } from '../../../../internal/store/journal/lines.ts'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { scratch } from '../../../support/scratch.ts'
import { head } from '../../../support/study.ts'

test('reads every line once and in order across pages', async () => {
  const journal = await openJournal(scratch())
  try {
    const first = head()
    await journal.create(first.id, { kind: 'study', data: { ...first } }, {})
    for (const count of [499, 1]) {
      const batch = Array.from({ length: count }, (_, i) => ({ kind: 'note', data: { i } }))
      await journal.append(first.id, batch)
      const lines = await listJournalLines(journal, first.id)
      expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: lines.length }, (_, i) => i + 1))
      expect(lines).toHaveLength(count === 499 ? 500 : 501)
    }
    const rest: number[] = []
    for await (const { seq } of readJournalLines(journal, first.id, 499)) rest.push(seq)
    expect(rest).toEqual([500, 501])
  } finally {
    await journal.close()
  }
})
