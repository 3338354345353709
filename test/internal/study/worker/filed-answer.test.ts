// What a study has filed answers a further question, or leaves it to a search.
import { expect, test } from 'vitest'
import type { StudyEvidence } from '../../../../internal/study/log/entries.ts'
import { findFiledAnswer } from '../../../../internal/study/worker/filed-answer.ts'

const { signal } = new AbortController()
const filed = (id: string, canonical: string, excerpt: string): StudyEvidence =>
  ({ id, task: 't1', tool: 'finder', canonical, locator: '1-3', excerpt, excerptSha256: '' }) as StudyEvidence
const lock = filed('E1.1', 'doc/lock.md', '# Locks\n\nA lock is held for at most 30 seconds.')
const page = filed('E1.2', 'papers/pools.pdf', 'Cooling falls with depth: 4 degrees at 40 cm.')
const web = filed('E1.3', 'https://shop.example/returns.html', 'Tiles are taken back within 14 days.')

const find = async (question: string, evidence = [lock, page, web], before?: string) =>
  (await findFiledAnswer(question, before, evidence, signal))?.results.map(({ path }) => path).join(' ')

test('evidence of files, documents and pages of the web answers, by its id', async () => {
  expect(await find('For how long is a lock held?')).toMatch(/^E1\.1\/doc\/lock\.md/)
  expect(await find('How fast is the cooling at a depth of 40 cm?')).toMatch(/^E1\.2\//)
  expect(await find('Within how many days are tiles taken back?')).toMatch(/^E1\.3\/https:/)
})

test('what leaves a word or an amount open is searched for', async () => {
  expect(await find('For how long is a lease of the mailbox held?')).toBeUndefined()
  expect(await find('How many locks are held?', [filed('E1.1', 'a.md', 'Locks are held by workers.')])).toBe(
    undefined,
  )
  expect(await find('For how long is a lock held?', [])).toBeUndefined()
})

test('a question that leads on from another one needs its own words in the evidence', async () => {
  const before = 'For how long is a lock held?'
  expect(await find('And for a mailbox?', [lock], before)).toBeUndefined()
  const both = filed('E1.4', 'doc/mail.md', 'A mailbox lock is held for 60 seconds by a mailbox reader.')
  expect(await find('And for a mailbox?', [lock, both], before)).toMatch(/^E1\.4\//)
})

test('lines that two tasks have filed are looked at once', async () => {
  const again = { ...lock, id: 'E2.1' }
  expect(await find('For how long is a lock held?', [lock, again])).not.toContain('E2.1')
})
