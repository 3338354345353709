// Changes of a corpus since a survey, and cases in which the files must be read again.
import { chmodSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { surveyCorpus } from '../../../../internal/study/plan/corpus.ts'
import { isCorpusUntouched } from '../../../../internal/study/plan/corpus-change.ts'
import { scratchWith } from '../../../support/scratch.ts'
import { untilOld } from '../../../support/waiting.ts'

const { signal } = new AbortController()

/** Surveys a corpus `later` milliseconds after its files were written. */
async function surveyed(later = 5_000) {
  const root = scratchWith({ 'a.md': 'One.\n', 'old/b.md': 'Two.\n', 'new/b.md': 'Three.\n' })
  const { names } = await surveyCorpus(root, [], undefined)
  return { root, surveyed: { at: Date.now() + later, names } }
}

it('counts as unchanged for files older than the survey, and never for an earlier study', async () => {
  const head = await surveyed()
  expect(await isCorpusUntouched(head, undefined, signal)).toBe(true)
  expect(await isCorpusUntouched({ root: head.root }, undefined, signal)).toBe(false)
})

it('does not count as unchanged if a file was written near the start of the survey', async () => {
  expect(await isCorpusUntouched(await surveyed(0), undefined, signal)).toBe(false)
})

it.each<[string, (root: string) => void]>([
  ['a new file', (root) => writeFileSync(join(root, 'c.md'), 'x')],
  ['a file that is gone', (root) => rmSync(join(root, 'a.md'))],
  ['a folder with another name', (root) => renameSync(join(root, 'old'), join(root, 'older'))],
])('names alone show %s', async (_, change) => {
  const head = await surveyed()
  change(head.root)
  expect(await isCorpusUntouched(head, undefined, signal)).toBe(false)
})

it.each<[string, (root: string) => void]>([
  [
    'a content whose time was set back',
    (root) => {
      writeFileSync(join(root, 'a.md'), 'Ten.\n')
      utimesSync(join(root, 'a.md'), 1, 1)
    },
  ],
  ['rights', (root) => chmodSync(join(root, 'old/b.md'), 0o600)],
  [
    'two folders that changed places',
    (root) => {
      renameSync(join(root, 'old'), join(root, '.x'))
      renameSync(join(root, 'new'), join(root, 'old'))
      renameSync(join(root, '.x'), join(root, 'new'))
    },
  ],
  [
    'a folder beside',
    (root) => {
      mkdirSync(join(root, '.cache'))
    },
  ],
])('times show %s', async (_, change) => {
  const head = await surveyed(0)
  // files are old by then, and later changes are new
  await untilOld(1_100, head.root)
  const at = Date.now()
  const later = { ...head, surveyed: { ...head.surveyed, at } }
  expect(await isCorpusUntouched(later, undefined, signal)).toBe(true)
  change(head.root)
  expect(await isCorpusUntouched(later, undefined, signal)).toBe(false)
})
