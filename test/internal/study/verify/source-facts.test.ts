// Facts about sources, from the files and from git, and their permanent URL.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeSources } from '../../../../internal/study/verify/source-facts.ts'
import { papers } from '../../../support/papers.ts'
import { git, repoWith } from '../../../support/repo.ts'
import { run } from '../../../support/run.ts'
import { plant, scratchWith } from '../../../support/scratch.ts'

const signal = new AbortController().signal
const paper = papers['tide-pools.pdf'] as Buffer

test('returns kind, weight, date, size and title, with and without git', async () => {
  const files = {
    'src/a.ts': 'x',
    'test/a.test.ts': 'x',
    'vendor/b.c': 'x',
    'CHANGELOG.md': 'x',
    'p.pdf': paper,
  }
  const names = [...Object.keys(files), 'gone.md', 'https://example.org/a']
  const plain = await describeSources(scratchWith(files), names, run, signal)
  expect(plain).toEqual([
    { canonical: 'src/a.ts', kind: 'code', weight: 'primary', bytes: 1 },
    { canonical: 'test/a.test.ts', kind: 'code', weight: 'test', bytes: 1 },
    { canonical: 'vendor/b.c', kind: 'code', weight: 'vendored', bytes: 1 },
    { canonical: 'CHANGELOG.md', kind: 'text', weight: 'secondary', bytes: 1 },
    {
      canonical: 'p.pdf',
      kind: 'PDF',
      weight: 'primary',
      bytes: paper.length,
      title: 'Night cooling of tide pools at Hollin Point',
      date: '2023-09-14',
    },
    { canonical: 'gone.md', kind: 'text', weight: 'primary' },
    { canonical: 'https://example.org/a', kind: 'web page', weight: 'secondary' },
  ])
  const [code] = await describeSources(repoWith(files), ['src/a.ts'], run, signal)
  expect(code?.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
})

test('a file has a URL if its commit was pushed and the file is unchanged', async () => {
  const repo = repoWith({ 'sub/a b.md': 'one\n', 'sub/c.md': 'two\n' })
  const facts = async () =>
    (await describeSources(join(repo, 'sub'), ['a b.md', 'c.md'], run, signal)).map(({ link }) => link)
  git(repo, 'remote', 'add', 'origin', 'https://token@github.com/acme/pools.git')
  expect(await facts()).toEqual([undefined, undefined])
  git(repo, 'update-ref', 'refs/remotes/origin/main', 'HEAD')
  const commit = git(repo, 'rev-parse', 'HEAD').trim()
  const base = `https://github.com/acme/pools/blob/${commit}/sub`
  expect(await facts()).toEqual([`${base}/a%20b.md`, `${base}/c.md`])
  appendFileSync(join(repo, 'sub', 'c.md'), 'changed\n')
  plant(repo, { 'sub/new.md': 'x' })
  expect(await facts()).toEqual([`${base}/a%20b.md`, undefined])
})
