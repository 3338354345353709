// Studies are found by project, by prefix, and as the newest.
import { expect, test } from 'vitest'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { line } from '../../../support/journal-contract.ts'
import { scratch } from '../../../support/scratch.ts'

test('finding', async () => {
  const journal = await openJournal(scratch())
  for (const [id, project, created] of [
    ['01AA', '/p', 1],
    ['01AB', '/q', 2],
    ['01B', '/p', 3],
  ] as const)
    await journal.create(id, line('study', { project, created }), {})
  const ids = (prefix: string, project: string) => journal.studies.find(prefix, project).map(({ id }) => id)
  expect(ids('last', '/p')).toEqual(['01B'])
  expect(ids('last', '/q')).toEqual(['01AB'])
  expect(ids('last', '/r')).toEqual([])
  expect(ids('01a', '/p')).toEqual(['01AB', '01AA'])
  expect(ids('01AB', '/p')).toEqual(['01AB'])
  expect(ids('0x', '/p')).toEqual([])
  expect(journal.studies.list({}).map(({ id }) => id)).toEqual(['01B', '01AB', '01AA'])
  expect(journal.studies.list({ project: '/p', limit: 1 }).map(({ id }) => id)).toEqual(['01B'])
  await journal.close()
})
