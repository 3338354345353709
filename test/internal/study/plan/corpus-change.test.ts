// What says that nothing was touched since a survey, and what says that reading has to tell.
import { chmodSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { surveyCorpus } from '../../../../internal/study/plan/corpus.ts'
import { isCorpusUntouched } from '../../../../internal/study/plan/corpus-change.ts'
import { scratchWith } from '../../../support/scratch.ts'
import { untilOld } from '../../../support/waiting.ts'

const { signal } = new AbortController()

/** A corpus that was surveyed long after its files were written: `later` says how long, in ms. */
async function surveyed(later = 5_000) {
  const root = scratchWith({ 'a.md': 'One.\n', 'old/b.md': 'Two.\n', 'new/b.md': 'Three.\n' })
  const { names } = await surveyCorpus(root, [], undefined)
  return { root, surveyed: { at: Date.now() + later, names } }
}

it('holds for files that are older than the survey, and for no earlier study', async () => {
  const head = await surveyed()
  expect(await isCorpusUntouched(head, undefined, signal)).toBe(true)
  expect(await isCorpusUntouched({ root: head.root }, undefined, signal)).toBe(false)
})

it('does not hold for what was written about when the survey began', async () => {
  expect(await isCorpusUntouched(await surveyed(0), undefined, signal)).toBe(false)
})

it.each<[string, (root: string) => void]>([
  ['a new file', (root) => writeFileSync(join(root, 'c.md'), 'x')],
  ['a file that is gone', (root) => rmSync(join(root, 'a.md'))],
  ['a folder with another name', (root) => renameSync(join(root, 'old'), join(root, 'older'))],
])('names alone tell of %s', async (_, change) => {
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
])('times tell of %s', async (_, change) => {
  const head = await surveyed(0)
  // files are old by then, and what is touched afterwards is not
  await untilOld(1_100, head.root)
  const at = Date.now()
  const later = { ...head, surveyed: { ...head.surveyed, at } }
  expect(await isCorpusUntouched(later, undefined, signal)).toBe(true)
  change(head.root)
  expect(await isCorpusUntouched(later, undefined, signal)).toBe(false)
})
