// The sample of long test files: every test is in some sample, and the stored times name existing files.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesBelow, root } from '../support/sources.ts'
import { sampleTests, secondsOfFile } from '../support/test-sample.ts'

const numbers = (count: number) => [...Array(count).keys()]
const counts = [1, 2, 3, 7, 22, 57, 571]
const times = [0.1, 2.5, 2.6, 4, 7.5, 12, 50, 100, 3_000]
const cases = counts.flatMap((count) => times.map((seconds) => [count, seconds] as const))

it.each(cases)('of %i tests that take %f s, each is in one of the samples', (count, seconds) => {
  const tests = numbers(count)
  const seeds = numbers(Math.ceil(Math.max(1, Math.min(count, seconds / secondsOfFile))))
  const samples = seeds.map((seed) => sampleTests(tests, seconds, seed))
  expect(new Set(samples.flat()).size).toBe(count)
  for (const sample of samples) {
    expect(sample.length).toBeGreaterThan(0)
    const share = secondsOfFile / Math.max(seconds, secondsOfFile)
    expect(sample.length).toBeLessThanOrEqual(Math.ceil(count * share) + 1)
  }
})

it('selects the same tests for the same number', () => {
  const chosen = () => sampleTests(numbers(57), 20, 0xabcdef)
  expect(chosen()).toEqual(chosen())
  expect(chosen()).not.toEqual(sampleTests(numbers(57), 20, 0xabcdf0))
})

it('a file without a long time runs whole', () => {
  expect(sampleTests(numbers(9), secondsOfFile, 5)).toEqual(numbers(9))
})

it('times are stored of existing files', () => {
  const stored = Object.keys(JSON.parse(readFileSync(join(root, 'test', 'times.json'), 'utf8')) as object)
  const files = new Set(filesBelow('test', '.test.ts'))
  expect(stored.filter((path) => !files.has(path))).toEqual([])
  expect(stored.length).toBeGreaterThan(100)
})
