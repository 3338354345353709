// Studies are found by project, by prefix, and as the newest.
import { expect, test } from 'vitest'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { line } from '../../../support/journal-contract.ts'
import { scratch } from '../../../support/scratch.ts'

test('finds studies by project and by the start of the id', async () => {
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

test('reads lines of the requested kinds, and the time of the latest line', async () => {
  let now = 1
  const journal = await openJournal(scratch(), { now: () => now++ })
  await journal.create('01AA', line('study', { project: '/p', created: 1 }), {})
  await journal.append('01AA', [line('evidence', { text: 'long' }), line('status', { status: 'done' })])
  expect(
    journal.studies.lines('01AA', ['study', 'status', 'step']).map(({ seq, kind }) => [seq, kind]),
  ).toEqual([
    [1, 'study'],
    [3, 'status'],
  ])
  const [newest] = await journal.read('01AA', 2, 1)
  expect(journal.studies.updated('01AA')).toBe(newest?.ts)
  expect(journal.studies.updated('01ZZ')).toBeUndefined()
  expect(() => journal.studies.lines('01ZZ', ['study'])).toThrow('01ZZ')
  await journal.close()
})
