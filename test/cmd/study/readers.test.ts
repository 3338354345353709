// The whole program with one reader and with four: the same report and JSON, apart from ids, times and workers.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { world } from '../../support/anode.ts'
import { choice, rng } from '../../support/rng.ts'

vi.setConfig({ testTimeout: 240_000 })

const words = 'store lock file crash journal lease worker claim quote reader thread budget deadline'.split(
  ' ',
)

/** Enough files that their reading is estimated to take longer than the limit for threads. */
const files = 64

function textOf(seed: number): string {
  const random = rng(seed)
  const parts: string[] = []
  for (let size = 0; size < 1 << 20; ) {
    const line = `The ${Array.from({ length: 12 }, () => choice(random, words)).join(' ')} ${parts.length}.`
    size += line.length + 2
    parts.push(line)
  }
  return `${parts.join('\n\n')}\n`
}

/** Returns the text without the ids, times and commands of one study. */
const timeless = (text: string): string =>
  text
    .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| \d\d:\d\d)?/g, 'DATE')
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s|min)\b/g, 'TIME')
    .replaceAll(/--workers \d+/g, '--workers N')

/** Keys of times and of the number of workers. */
const varying = /^(?:created|workers|\w+_ms)$/

/** Returns the object as text, without the fields that differ between two equal studies. */
const comparable = (out: string): string =>
  JSON.stringify(
    JSON.parse(timeless(out), (key, value) => (varying.test(key) ? undefined : value)),
    undefined,
    1,
  )

test.each([
  ['one part', 'How long is the deadline of a worker with a lease?'],
  ['two parts', 'How long is the deadline of a worker with a lease, and where does a reader quote a claim?'],
])('one reader and four give the same bytes on a question of %s', async (_, question) => {
  const at = world()
  onTestFinished(() => at.remove())
  for (let i = 0; i < files; i++) at.put(`text-${i}.md`, textOf(i + 1))
  at.put('limit.md', '# Limits\n\nThe longest pause of the ferry is 417 minutes.\n')
  // each thread of a study adds a line
  const seen = join(at.dir, '..', 'threads')
  const hook = join(at.dir, '..', 'threads.cjs')
  const note = `require('fs').appendFileSync(${JSON.stringify(seen)}, 'x')`
  writeFileSync(hook, `if (!require('worker_threads').isMainThread) ${note}`)
  const ask = async (readers: number) => {
    writeFileSync(seen, '')
    const flags = ['--workers', `${readers}`, '--model', 'builtin/extract', '--json', '--quiet']
    const env = { NODE_OPTIONS: `--require=${hook}` }
    const { code, out, err } = await at.anode(['study', question, ...flags], { env })
    expect([0, 3], err).toContain(code)
    const threads = existsSync(seen) ? readFileSync(seen, 'utf8').length : 0
    const report = await at.anode(['study', 'report', 'last', '--format', 'md'])
    return { code, threads, json: comparable(out), report: timeless(report.out), err: report.err }
  }
  const one = await ask(1)
  const four = await ask(4)
  expect(one.threads).toBe(0)
  // a machine with one processor reads alone
  expect(four.threads).toBe(Math.min(4, availableParallelism()) - 1)
  expect(one.report, one.err).toContain('##')
  expect(four.report).toBe(one.report)
  expect(four.json).toBe(one.json)
  expect(four.code).toBe(one.code)
})
