// Habits of tests: a test waits for a condition and not for a time, and expects a value and not only that there is one.
import { expect, it } from 'vitest'
import { filesBelow, read } from '../support/sources.ts'

/**
 * Files that wait for a fixed time, with the number of such lines and the reason: the program itself counts time there,
 * or nothing may happen meanwhile. They may only get fewer.
 */
const fixedWaits: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  'test/cmd/approvals.test.ts': [1, 'keys that come together are a paste: the next one comes later'],
  'test/faults/process.test.ts': [1, 'processes take their names a moment after they were started'],
  'test/faults/redis-study.test.ts': [
    2,
    'a server or worker ends in the middle of a study, at no known step',
  ],
  'test/faults/screen/allowing-keys.test.ts': [1, 'the last of many keys may not allow anything'],
  'test/faults/screen/drawing.test.ts': [1, 'a size counts once it has not changed for 80 ms'],
  'test/faults/screen/escape-wait.test.ts': [2, 'how long a lone Escape waits is the setting under test'],
  'test/faults/screen/keys.test.ts': [1, 'a paste without an end is over after 2 s'],
  'test/faults/screen/steering.test.ts': [
    3,
    'a stopped or held terminal gets nothing; a program is told once',
  ],
  'test/faults/screen/unseen-question.test.ts': [1, 'a question opens once no key came for 800 ms'],
  'test/internal/service/runs/run-access.test.ts': [
    1,
    'a question waits while a user is there, beyond its limit',
  ],
  'test/internal/study/redis/journal.test.ts': [
    1,
    'a write that broke off is repeated later than others read',
  ],
  'test/internal/study/redis/queue-engine.test.ts': [1, 'a server is away for a while'],
  'test/internal/study/worker/worker.test.ts': [1, 'the lease of a worker without a sign of life ends'],
  'test/support/waiting.ts': [1, 'how long a question was seen before a key or a line answers it'],
}

const files = filesBelow('test', '.ts').filter((file) => file !== 'test/rules/test-habits.test.ts')

/** A statement that does nothing but wait for a time that is written in the code, or a function that does. */
const fixedWait =
  /=> (?:sleep|sleepMs|pause|delay)\((?:[\d_]+|\w+Ms(?:\[\w+\])?)\)$|\(\) => new Promise(?:<\w+>)?\(\((\w+)\) => setTimeout\(\1, [\d_]+\)\)$|^\s*await (?:sleep|sleepMs|pause|delay)\(\s*[\d_]+(?:, undefined)?\)$|^\s*await new Promise(?:<\w+>)?\(\((\w+)\) => setTimeout\(\2, [\d_]+\)\)$/

/** Lines of a loop wait between two looks at a condition: they are in braces below `for` or `while`, or behind it. */
function countFixedWaits(text: string): number {
  const lines = text.split('\n')
  return lines.filter((line, i) => fixedWait.test(line) && !isInPoll(lines, i)).length
}

function isInPoll(lines: readonly string[], at: number): boolean {
  const indent = (line: string) => line.length - line.trimStart().length
  let depth = indent(lines[at] as string)
  for (let i = at - 1; i >= 0 && depth > 0; i--) {
    const line = lines[i] as string
    if (line.trim() === '' || indent(line) >= depth) continue
    if (/^\s*(?:for|while)\b|^\s*(?:do|try|\} catch)\b/.test(line)) {
      if (/^\s*(?:for|while|do)\b/.test(line)) return true
    } else if (/=>|function|\b(?:test|it|describe)\b/.test(line)) return false
    depth = indent(line)
  }
  return false
}

it('wait for a condition', () => {
  const counts = files.flatMap((file) => {
    const count = countFixedWaits(read(file))
    return count > 0 ? [[file, count] as const] : []
  })
  const allowed = Object.entries(fixedWaits).map(([file, [count]]) => [file, count])
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(allowed))
})

it('pass at the first attempt', () => {
  const again = /\b(?:it|test|describe)\b[^\n]*\bretry: |^\s*retry: .*ANODE|\btest: \{[^}]*\bretry:/m
  expect([...files, 'vitest.config.ts'].filter((file) => again.test(read(file)))).toEqual([])
  expect("test('x', { timeout: 1, retry: 2 }, async () => {").toMatch(again)
})

const tests = /^(?= *(?:it|test)(?:\.\w+(?:\([^\n]*?\))?)*\()/m
const weak = /\.(?:toBeDefined|toBeTruthy)\(\)|\.not\.(?:toThrow|toBeUndefined|toBeNull)\(\)/g

/** The first lines of tests in which every expectation only says that there is something, or no error. */
const weakTests = (text: string): string[] =>
  text
    .split(tests)
    .slice(1)
    .filter((body) => {
      const found = body.match(weak)?.length ?? 0
      return found > 0 && found >= (body.match(/\bexpect(?:\.poll|\.soft)?\(/g)?.length ?? 0)
    })
    .map((body) => body.split('\n')[0] as string)

it('expect a value', () => {
  const found = files.flatMap((file) => weakTests(read(file)).map((title) => `${file}: ${title.trim()}`))
  expect(found).toEqual([])
})

it('are seen by these rules', () => {
  const wait = '    await sleep(300)'
  expect(countFixedWaits(`it('x', async () => {\n${wait}\n})`)).toBe(1)
  expect(countFixedWaits(`it('x', async () => {\n  while (!seen()) {\n${wait}\n  }\n})`)).toBe(0)
  expect(countFixedWaits(`  await new Promise((resolve) => setTimeout(resolve, 1_000))`)).toBe(1)
  expect(countFixedWaits('const moment = () => new Promise((resolve) => setTimeout(resolve, 150))')).toBe(1)
  expect(countFixedWaits('const moment = () => sleep(150)')).toBe(1)
  expect(weakTests("\nit('a', () => {\n  expect(one()).toBeDefined()\n})\n")).toEqual(["it('a', () => {"])
  expect(
    weakTests("\nit('a', () => {\n  expect(one()).toBeDefined()\n  expect(two()).toBe(2)\n})\n"),
  ).toEqual([])
})
