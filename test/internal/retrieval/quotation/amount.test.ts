// Whether quoted lines give the amount that is asked for.
import { expect, test } from 'vitest'
import { givesAmount } from '../../../../internal/retrieval/quotation/amount.ts'
import { createTermScanner } from '../../../../internal/retrieval/term-scanner.ts'
import { parseQuestion } from '../../../../internal/retrieval/words.ts'

async function gives(question: string, ...lines: string[]) {
  const parsed = await parseQuestion(question)
  return givesAmount(lines, parsed, createTermScanner(parsed))
}
const count = 'How many servers can be configured?'
const time = 'How long is a session kept?'

test.each([
  [count, 'At most 16 servers run at once.', true],
  [count, 'Up to three servers are configured.', true],
  [count, 'Servers are configured in a file.', false],
  [count, 'USE_SERVERS=1 switches them on.', false],
  [count, `${'x '.repeat(40)}17 ${'x '.repeat(40)}servers`, false],
  [time, 'Sessions are kept for 30 days.', true],
  [time, 'Default: 20', true],
  [time, 'It is kept for a week.', true],
  [time, 'Sessions are kept forever.', true],
  [time, 'Sessions are kept as long as needed.', false],
  ['Where are sessions kept?', 'In a folder.', true],
])('%s  %s  %s', async (question, line, expected) => {
  expect(await gives(question, line)).toBe(expected)
})
