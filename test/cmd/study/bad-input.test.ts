// Unreadable and unusable input of a study, with the built program: one plain line for each, and
// the study continues.
import { cpSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type World, world } from '../../support/anode.ts'
import { root } from '../../support/sources.ts'

const papers = join(root, 'test', 'fixtures', 'papers')
const model = ['--model', 'builtin/extract']
const paragraph =
  '# Locks\n\nA lock is held for 30 seconds. Then it is given up, and the next one may take it. It is written with ' +
  'care and in the English language, so that a person who reads it can see what it is about.\n'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

/** Creates a directory with these papers and the files that `make` adds. */
function folder(name: string, names: readonly string[]): string {
  const dir = join(at.dir, name)
  mkdirSync(dir)
  for (const one of names) cpSync(join(papers, one), join(dir, one))
  return dir
}

test('reports scans, encrypted and broken papers and files of 2 GB, and reads the others', async () => {
  const dir = folder('all', ['old-survey-scan.pdf', 'sealed-results.pdf', 'torn-copy.pdf', 'tide-pools.pdf'])
  for (const name of ['large.txt', 'large.pdf']) {
    writeFileSync(join(dir, name), '')
    truncateSync(join(dir, name), 2 ** 31)
  }
  const done = await at.anode(['study', 'How fast do the pools cool?', '--root', 'all', ...model])
  expect(done.code).toBe(0)
  expect(done.out).toContain('tide-pools.pdf, page 1')
  const skipped = done.err.split('\n').filter((line) => line.startsWith('skipped '))
  expect(skipped).toEqual([
    'skipped large.pdf: it is larger than 32 MiB',
    'skipped old-survey-scan.pdf: no text: 12 scanned pages',
    'skipped sealed-results.pdf: it is encrypted',
    'skipped torn-copy.pdf: it cannot be read: Invalid PDF structure.',
    'skipped 1 file: over 2 MiB; the report names it',
  ])
})

test('reports scans alone as nothing to read, in one line with the reason', async () => {
  folder('scans', ['old-survey-scan.pdf'])
  const done = await at.anode(['study', 'What do these papers measure?', '--root', 'scans', ...model])
  expect([done.code, done.out]).toEqual([2, ''])
  expect(done.err).toMatch(
    /^(?:reading 1 file\n)?anode: root has no readable files: .*\(old-survey-scan\.pdf: no text: 12 scanned pages\)\nname another one/,
  )
})

test('reports a question in another language than the files, with a next step', async () => {
  at.put('lock.md', paragraph)
  const done = await at.anode(['study', 'Wie lange wird eine Sperre gehalten?', ...model])
  expect(done.code).toBe(1)
  expect(done.out).toContain('the question is in German and the files are in English')
})
