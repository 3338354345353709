// What the counts of a passage say about positions and numbers in it.
import { expect, test } from 'vitest'
import { countFile } from '../../../internal/retrieval/count-file.ts'
import { createTermScanner } from '../../../internal/retrieval/term-scanner.ts'
import { type ParsedQuestion, parseQuestion } from '../../../internal/retrieval/words.ts'
import { costRatio } from '../../support/cost.ts'
import { choice, rng } from '../../support/rng.ts'

const file = { path: 'a.md', index: 0 }

function passageOf(question: ParsedQuestion, text: string) {
  return countFile(text, file, question, createTermScanner(question)).passages[0]
}

const whole =
  /[\w~.-]*\/[\w.-]+|\b[\w-]+\.(?:conf|json|ya?ml|toml|md|ts|js|c|h|py|go|rs|txt|ini|cfg)\b|\.\w+rc\b/

test('finds the name of a file or a path in any text, if the question asks for a position', async () => {
  const random = rng(3)
  const place = await parseQuestion('Where is the anchor stored?')
  const plain = await parseQuestion('What carries the anchor?')
  expect([place.wants.place, plain.wants.place]).toEqual([true, false])
  const signs = ['a', '-', '.', '/', 'md', 'ts', ' ', '_', 'c', 'rc', 'é', '1', '~', 'conf', ',']
  const seen = { true: 0, false: 0 }
  for (let round = 0; round < 3_000; round++) {
    const length = 1 + Math.floor(random() * 7)
    const text = `The anchor ${Array.from({ length }, () => choice(random, signs)).join('')}`
    const isNamed = whole.test(text)
    seen[`${isNamed}`]++
    expect(passageOf(place, text)?.hasPlace, text).toBe(isNamed)
    expect(passageOf(plain, text)?.hasPlace, text).toBe(false)
  }
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(300)
})

test('reads a long word for a position in time that grows with its length', async () => {
  const place = await parseQuestion('Where is the anchor stored?')
  const scan = createTermScanner(place)
  const count = (chars: number, times: number) => {
    const text = `The anchor ${'zq-'.repeat(chars / 3)}`
    return () => {
      for (let i = 0; i < times; i++) countFile(text, file, place, scan)
    }
  }
  expect(costRatio(9, count(900, 60), count(3_600, 60))).toBeLessThan(9)
})

test.each([
  ['How long does the anchor hold?', 'The anchor holds 5 minutes.', 3],
  ['How long does the anchor hold?', 'The anchor holds 5 ropes.', 1],
  ['How large is the anchor?', 'The anchor has 64 KiB.', 5],
  ['How large is the anchor?', 'The anchor has 3 arms.', 1],
  ['How many arms has the anchor?', 'The anchor has 3 arms.', 1],
  ['How many arms has the anchor?', 'The anchor has arms.', 0],
  ['Who made the anchor?', 'The anchor is 5 minutes old.', 0],
])('%s %s has numbers %i', async (question, text, number) => {
  expect(passageOf(await parseQuestion(question), text)?.number).toBe(number)
})
