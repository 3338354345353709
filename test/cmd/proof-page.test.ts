// The examples of the manual page on proofs: the program prints what the page shows, except for times.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { World } from '../support/anode.ts'
import { proofFixtures, proofWorld } from '../support/proof-project.ts'
import { read } from '../support/sources.ts'

vi.setConfig({ testTimeout: 120_000 })

let at: World
beforeEach(() => {
  at = proofWorld()
})
afterEach(() => at.remove())

/** Lines without times. */
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.replace(/ {2}[\d.]+ m?s( {2}|$)/, '  <time>$1'))

const shown = [...read('manual/proof.md').matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(
  ([, text = '']) => text,
)
const shownWith = (line: string) => linesOf(shown.find((text) => text.includes(line)) ?? '')

const fix = () => {
  const file = join(at.dir, 'add.js')
  writeFileSync(file, readFileSync(file, 'utf8').replace('a - b', 'a + b'))
}

it('a proof', async () => {
  fix()
  const { out, code } = await at.anode(['prove', 'npm test'])
  expect([code, linesOf(out)]).toEqual([0, shownWith('✔ check  npm test  exit 0  2.1 s')])
})

it('a changed test', async () => {
  writeFileSync(join(at.dir, 'test/add.test.js'), '')
  const { out, code } = await at.anode(['prove', 'npm test'])
  const lines = linesOf(out).filter((line) => /^[✔✖N]/.test(line))
  expect([code, lines]).toEqual([5, shownWith('NOT proven: it passes only')])
})

it('a run that ends with a proof', async () => {
  const model = ['--model', `script:${join(proofFixtures, 'fix.jsonl')}`]
  const words = ['execute', 'Fix add()', '--until', 'npm test', '--approval', 'edits', ...model]
  const { err, code } = await at.anode(words)
  expect([code, linesOf(err)]).toEqual([0, shownWith('✖ check before the start')])
})
