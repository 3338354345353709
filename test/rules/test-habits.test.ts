// Habits of tests: a test waits for a condition and not for a time, and expects a value and not only that there is one.
import { expect, it } from 'vitest'
import { filesBelow, read } from '../support/sources.ts'

/**
 * Files that wait for a fixed time, with the number of such lines: the program itself counts time there (a question
 * that has not been seen for long enough, a lease that ends), or nothing may happen meanwhile. They may only get fewer.
 */
const fixedWaits: Readonly<Record<string, number>> = {
  'test/cmd/hand-over.test.ts': 3,
  'test/cmd/runs-worktree.test.ts': 1,
  'test/cmd/study/view.test.ts': 1,
  'test/faults/process.test.ts': 2,
  'test/faults/redis-study.test.ts': 3,
  'test/faults/screen/allowing-keys.test.ts': 1,
  'test/faults/screen/drawing.test.ts': 8,
  'test/faults/screen/escape-wait.test.ts': 2,
  'test/faults/screen/full-disk.test.ts': 2,
  'test/faults/screen/keys.test.ts': 1,
  'test/faults/screen/long-question.test.ts': 4,
  'test/faults/screen/steering.test.ts': 7,
  'test/faults/screen/terminal.test.ts': 1,
  'test/faults/screen/typed-key.test.ts': 1,
  'test/faults/screen/typed-text.test.ts': 3,
  'test/faults/screen/unseen-question.test.ts': 3,
  'test/internal/base/clock.test.ts': 1,
  'test/internal/runtime/processes/command-output.test.ts': 3,
  'test/internal/service/runs/run-access.test.ts': 1,
  'test/internal/service/session/session-tools.test.ts': 1,
  'test/internal/service/study/coordinator-watch.test.ts': 1,
  'test/internal/model/limits/request-slots.test.ts': 2,
  'test/internal/process/git/filter-memory.test.ts': 3,
  'test/internal/sandbox/folder-places.test.ts': 1,
  'test/internal/server/http/topic-routes.test.ts': 1,
  'test/internal/session/contract.ts': 1,
  'test/internal/study/engine/embedded-engine.test.ts': 2,
  'test/internal/study/plan/corpus-change.test.ts': 1,
  'test/internal/study/redis/journal.test.ts': 1,
  'test/internal/study/redis/queue-engine.test.ts': 4,
  'test/internal/study/worker/worker.test.ts': 1,
  'test/internal/tool-support/stale-read.test.ts': 1,
  'test/internal/tools/files/edit_file.test.ts': 1,
  'test/internal/tui/plain/plain-turn.test.ts': 2,
  'test/support/plain.ts': 1,
}

const files = filesBelow('test', '.ts').filter((file) => file !== 'test/rules/test-habits.test.ts')

/** A statement that does nothing but wait for a time that is written in the code. */
const fixedWait =
  /^\s*await (?:sleep|sleepMs|pause|delay)\(\s*[\d_]+(?:, undefined)?\)$|^\s*await new Promise(?:<\w+>)?\(\((\w+)\) => setTimeout\(\1, [\d_]+\)\)$/

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
  expect(Object.fromEntries(counts)).toEqual(fixedWaits)
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
  expect(weakTests("\nit('a', () => {\n  expect(one()).toBeDefined()\n})\n")).toEqual(["it('a', () => {"])
  expect(
    weakTests("\nit('a', () => {\n  expect(one()).toBeDefined()\n  expect(two()).toBe(2)\n})\n"),
  ).toEqual([])
})
