// browse_wiki/scripts/outline.mjs prints headings with place and size.
import { expect, test } from 'vitest'
import { runScript, scratch } from '../support/script.ts'

const run = (cwd: string, ...args: string[]) => runScript('browse_wiki/scripts/outline.mjs', args, cwd)
const docs = {
  'a.md': '# One\ntext\n## Two\n```sh\n# not a heading\n```\n#### Deep\n# Three\nlast word\n',
  'sub/b.rst': 'Title\n=====\n\nPart\n----\n\ntext\n\nOther\n-----\n',
  'c.adoc': '= Top\n\n== Below\n',
  'd.txt': '# no document\n',
}

test('Markdown, reStructuredText and AsciiDoc', () => {
  const { code, out, err } = run(scratch(docs))
  expect(code).toBe(0)
  expect(err).toBe('3 documents\n')
  expect(out).toBe(
    [
      'a.md (10 lines)',
      '  a.md:1  One  [7]',
      '    a.md:3  Two  [5]',
      '  a.md:8  Three  [3]',
      'c.adoc (4 lines)',
      '  c.adoc:1  Top  [4]',
      '    c.adoc:3  Below  [2]',
      'sub/b.rst (11 lines)',
      '  sub/b.rst:1  Title  [11]',
      '    sub/b.rst:4  Part  [5]',
      '    sub/b.rst:9  Other  [3]',
      '',
    ].join('\n'),
  )
})

test('only what contains a word, or to another depth', () => {
  expect(run(scratch(docs), '--match', 'LAST').out).toBe('a.md (10 lines)\n  a.md:8  Three  [3]\n')
  expect(run(scratch(docs), '--depth', '4', 'a.md').out).toContain('a.md:7  Deep')
  expect(run(scratch(docs), '--nonsense').code).toBe(2)
})
