import { describe, expect, it } from 'vitest'
import { corporaSchema, describeCorpus, sourceName } from '../../../internal/study-eval/corpus-source.ts'

const integrity = `sha512-${'A'.repeat(86)}==`
const commit = 'a'.repeat(40)
const corpus = (given: unknown) =>
  describeCorpus('it', corporaSchema.parse({ it: given })['it'] as never, (path) => `/suite/${path}`)

it('puts several sources side by side and leaves a single one as it is', () => {
  const one = corpus({ root: 'docs', except: ['*.txt'] })
  expect(one.sources).toEqual([
    { folder: '', source: { kind: 'folder', dir: '/suite/docs', only: undefined, except: ['*.txt'] } },
  ])
  const many = corpus([
    { package: '@scope/name@1.2.3', integrity },
    { repository: 'https://example.org/group/tool.git', commit },
    { root: 'docs/' },
  ])
  expect(many.sources.map(({ folder }) => folder)).toEqual(['name', 'tool', 'docs'])
  expect(many.sources.map(({ source }) => sourceName(source))).toEqual([
    '@scope/name 1.2.3',
    'https://example.org/group/tool.git at aaaaaaaaaaaa',
    '/suite/docs/',
  ])
})

it('gives each source another folder if names end alike', () => {
  const many = corpus([
    { root: 'a/core' },
    { repository: 'https://example.org/core.git', commit },
    { package: '@scope/core@1.2.3', integrity },
    { root: 'core-2' },
  ])
  expect(many.sources.map(({ folder }) => folder)).toEqual(['core', 'core-2', 'core-3', 'core-2-2'])
})

describe('a source that could lead elsewhere', () => {
  it.each([
    ['a package without a version', { package: 'undici', integrity }],
    ['a package with a path', { package: '../x@1.0.0', integrity }],
    ['a package with a flag', { package: '--global@1.0.0', integrity }],
    ['a range', { package: 'undici@^7.0.0', integrity }],
    ['a package without its hash', { package: 'undici@7.0.0' }],
    ['a weak hash', { package: 'undici@7.0.0', integrity: 'sha1-AAAA' }],
    ['an address with a program', { repository: 'ext::sh -c x', commit }],
    ['a commit with a flag', { repository: 'https://example.org/a', commit: '--upload-pack=x' }],
    ['no source', []],
  ])('is rejected: %s', (_, given) => {
    expect(corporaSchema.safeParse({ it: given }).success).toBe(false)
  })
})
