// How much titles and names of files say about a question.
import { expect, test } from 'vitest'
import { createTitleCounter, titleShare } from '../../../../internal/retrieval/rank/titles.ts'
import { createTermScanner } from '../../../../internal/retrieval/term-scanner.ts'
import { parseQuestion } from '../../../../internal/retrieval/words.ts'

async function share(path: string, heading: string, names = '', text = 'How do locks work?') {
  const question = await parseQuestion(text)
  const scan = createTermScanner(question)
  const count = (value: string) => {
    const counts = new Float32Array(question.terms.length)
    scan(value, ({ term, weight }) => {
      counts[term] = (counts[term] as number) + weight
    })
    return counts.some((one) => one > 0) ? counts : undefined
  }
  return titleShare(
    createTitleCounter(path, question.language, count)(heading, names),
    question.terms.map(({ weight }) => weight),
  )
}

test('a file name or first title that equals the question has the highest share', async () => {
  const most = await share('docs/locks.md', '')
  expect(most).toBeGreaterThan(0.75)
  expect(await share('a.md', 'Locks')).toBe(most)
  expect(await share('010_locks.rst', '')).toBe(most)
  expect(await share('locks/README.md', '')).toBe(most)
})

test('further words and titles around it lower the share, and it is 0 without the word', async () => {
  const most = await share('locks.md', '')
  expect(await share('a.md', 'Storage > Locks')).toBeLessThan(most)
  expect(await share('locks-of-the-mailbox-server.md', '')).toBeLessThan(most / 2)
  expect(await share('a.md', 'Storage')).toBe(0)
  expect(titleShare([], [])).toBe(0)
})

test.each(['locks', 'LOCKS', 'isOpen locks', 'locks other_name'])('%s names the subject', async (names) => {
  expect(await share('a.ts', '', names)).toBe(await share('locks.md', ''))
})

test.each(['mailboxServerLocks', 'LOCKS_OF_A_MAILBOX', 'isOpen'])('%s names it less', async (names) => {
  expect(await share('a.ts', '', names)).toBeLessThan((await share('locks.md', '')) / 1.9)
})
