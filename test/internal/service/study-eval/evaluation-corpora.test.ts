import { join } from 'node:path'
import { expect, it } from 'vitest'
import { placeCorpora } from '../../../../internal/service/study-eval/evaluation-corpora.ts'
import { corporaSchema, describeCorpus } from '../../../../internal/study-eval/corpus-source.ts'
import { run } from '../../../support/run.ts'
import { harvest, scratch, scratchWith } from '../../../support/scratch.ts'

function place(dir: string, given: Record<string, unknown>) {
  const temp = scratch()
  const corpora = Object.entries(corporaSchema.parse(given)).map(([name, one]) =>
    describeCorpus(name, one, (path) => join(dir, path)),
  )
  const signal = new AbortController().signal
  const fetching = { run, cache: scratch(), from: dir, env: {}, signal, note: () => undefined }
  return placeCorpora(corpora, temp, fetching)
}

const files = {
  'README.md': 'read',
  'docs/a.md': 'a',
  'docs/deep/b.md': 'b',
  'docs/deep/b.txt': 'b',
  'node_modules/one/package.json': '{"version":"1.2.3"}',
  'node_modules/one/index.md': 'one',
  'node_modules/one/node_modules/two/index.md': 'two',
}
const integrity = `sha512-${'A'.repeat(86)}==`

it('uses a whole folder where it is and copies what is chosen', async () => {
  const dir = scratchWith(files)
  const placed = await place(dir, {
    whole: { root: 'docs' },
    chosen: { root: '.', only: ['README.md', 'docs/**'], except: ['**/*.txt'] },
  })
  expect(placed.get('whole')).toEqual({ kind: 'placed', root: join(dir, 'docs') })
  const at = placed.get('chosen')
  expect(at?.kind === 'placed' && harvest(at.root)).toEqual({
    'README.md': 'read',
    'docs/a.md': 'a',
    'docs/deep/b.md': 'b',
  })
})

it('takes an installed package of just that version, without what is installed in it', async () => {
  const dir = scratchWith(files)
  const placed = await place(dir, { it: [{ package: 'one@1.2.3', integrity }, { root: 'docs/deep' }] })
  const at = placed.get('it')
  expect(at?.kind === 'placed' && harvest(at.root)).toEqual({
    'deep/b.md': 'b',
    'deep/b.txt': 'b',
    'one/index.md': 'one',
    'one/package.json': '{"version":"1.2.3"}',
  })
})

it('says in one line what is missing and places the rest', async () => {
  const dir = scratchWith(files)
  const placed = await place(dir, {
    gone: [{ root: 'docs' }, { root: 'nowhere' }],
    commit: { repository: `file://${dir}`, commit: 'a'.repeat(40) },
    branch: { repository: `file://${dir}`, commit: 'main' },
    there: { root: 'docs' },
  })
  expect(placed.get('gone')).toEqual({ kind: 'missing', why: `${join(dir, 'nowhere')} does not exist` })
  const commit = placed.get('commit')
  expect(commit?.kind === 'missing' && commit.why).toMatch(/^file:.* at aaaaaaaaaaaa: git fetch: [^\n]+$/)
  const branch = placed.get('branch')
  expect(branch?.kind === 'missing' && branch.why).toMatch(/^file:.* at main: invalid commit "main": [^\n]+$/)
  expect(placed.get('there')?.kind).toBe('placed')
})
