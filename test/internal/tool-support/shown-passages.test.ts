// What results of tools are evidence of, as the tools themselves say, and under which place.

import { expect, test } from 'vitest'
import { passagesOfHits } from '../../../internal/tool-support/shown-passages.ts'
import { nativeTools } from '../../../internal/tools/index.ts'

/** Returns the passages that a result has shown, according to its tool. */
async function passagesOf(name: string, data: unknown, text: string) {
  const tool = await nativeTools[name]?.()
  if (!tool) throw new Error(`there is no tool ${name}`)
  return tool.evidence?.(data, text) ?? []
}

const hit = (path: string, line: number, text: string) => ({ path, line, text })

test.each([
  [
    'lines of a file, without the remarks of the tool',
    ['read', { path: 'a.md' }, '3\tone\n4\t\n5\tthree\n[lines 3 to 5 of 9; continue with start_line 6]'],
    [{ canonical: 'a.md', locator: '3-5', excerpt: 'one\n\nthree' }],
  ],
  [
    'each file of several, but not those that failed',
    [
      'multi_read',
      {
        files: [
          { path: 'a', status: 'read' },
          { path: 'b', status: 'error' },
          { path: 'c', status: 'read' },
        ],
      },
      '===== a =====\n1\tx\n\n===== b =====\n[error: not_found]\n\n===== c =====\n7\ty\n8\tz',
    ],
    [
      { canonical: 'a', locator: '1', excerpt: 'x' },
      { canonical: 'c', locator: '7-8', excerpt: 'y\nz' },
    ],
  ],
  [
    'matching lines by file, in order, each once',
    [
      'grep',
      {
        matches: [
          hit('a', 9, 'nine'),
          hit('b', 1, 'b'),
          hit('a', 3, 'three'),
          hit('a', 4, 'four'),
          hit('a', 9, 'nine'),
        ],
      },
      '',
    ],
    [
      { canonical: 'a', locator: '3-4,9', excerpt: 'three\nfour\nnine' },
      { canonical: 'b', locator: '1', excerpt: 'b' },
    ],
  ],
  ['no names of files', ['finder', { results: [{ path: 'a' }] }, 'a'], []],
  [
    'pages of the web by address',
    [
      'web_search',
      {
        results: [
          { url: 'https://x.org/', title: 'X', snippet: 'words' },
          { url: 'https://y.org/', title: 'Y', snippet: ' ' },
        ],
      },
      '',
    ],
    [{ canonical: 'https://x.org/', locator: 'X', excerpt: 'words' }],
  ],
  ['no lists of files', ['glob', { files: ['a'] }, 'a'], []],
  ['nothing of a result without data', ['grep', null, 'a:1:x'], []],
] as const)('%s', async (_, [tool, data, text], wanted) => {
  expect(await passagesOf(tool, data, text)).toEqual(wanted)
})

test.each([1, 8, 9, 20, 200])(
  'a search that shows %i files is evidence of each, in the order shown',
  (count) => {
    const matches = Array.from({ length: count }, (_, i) => hit(`f${i}.`, 1, 'x'))
    expect(passagesOfHits(matches)).toHaveLength(count)
    const reversed = matches.map(({ path }) => `${path}:1:x`).reverse()
    expect(passagesOfHits(matches, reversed.join('\n')).map(({ canonical }) => canonical)).toEqual(
      matches.map(({ path }) => path).reverse(),
    )
    // what a cut result does not show is not evidence
    expect(passagesOfHits(matches, reversed.slice(0, 3).join('\n'))).toHaveLength(Math.min(3, count))
  },
)
