// Files mentioned with `@`: the typed text, its completion, and the mentions in a message.
import { describe, expect, test } from 'vitest'
import { sanitizeText } from '../../../../internal/render/text/terminal-filter.ts'
import type { MentionChoice } from '../../../../internal/session/client.ts'
import {
  findOpenMention,
  insertMention,
  openMentionSearch,
  readMentions,
} from '../../../../internal/tui/input/mention.ts'

test.each([
  ['look at @src/a', { start: 8, query: 'src/a' }],
  ['@', { start: 0, query: '' }],
  ['(@x', { start: 1, query: 'x' }],
  ['@"a b', { start: 0, query: 'a b' }],
  ['me@home', undefined],
  ['@done ', undefined],
])('%j has %j at its end', (text, expected) => {
  expect(findOpenMention(text, text.length)).toEqual(expected)
})

const file = (path: string): MentionChoice => ({ path, kind: 'file' })

describe('a choice', () => {
  test('replaces the typed text, and keeps the rest', () => {
    expect(insertMention('see @rec and go', 8, file('src/recorder.ts'))).toEqual({
      ...{ text: 'see @src/recorder.ts and go', caret: 21 },
    })
  })

  test('of a directory continues with a slash, and a name with spaces is quoted', () => {
    expect(insertMention('@sr', 3, { path: 'src', kind: 'directory' })).toEqual({ text: '@src/', caret: 5 })
    expect(insertMention('@my', 3, file('my file.md')).text).toBe('@"my file.md" ')
  })
})

test('a resource is not quoted, also where a file with such characters would be', async () => {
  const { text } = insertMention('see @tr', 7, { path: 'tracker:mail://a@b/1', kind: 'resource' })
  expect(text).toBe('see @tracker:mail://a@b/1 ')
  expect(await readMentions(text, async () => [])).toEqual([])
})

/** Names of any kind in the forms in which they are completed. */
test.each([
  'a b.txt',
  'q"uote.txt',
  'new\nline.txt',
  'back\\slash.md',
  'ünï.txt',
  '日本語.md',
  "it's.txt",
  '@types/node.d.ts',
  'src/a@b.ts',
  'ends with dot.',
  'paren(1)',
  'tab\there',
  'bidi\u202ename',
  '\u{e0041}tag.txt',
  'LICENSE',
])('a completed %j is read as exactly that name, also with lines after it', async (path) => {
  const find = async (query: string) => (query === path ? [file(path)] : [])
  const { text, caret } = insertMention('see @x and go', 6, file(path))
  expect(text.slice(caret)).toBe('and go')
  expect(sanitizeText(text)).toBe(text)
  expect(await readMentions(text, find)).toEqual([{ path }])
  const named = text.slice(4, caret - 1)
  expect(await readMentions(`see ${named}:3-5, or`, find)).toEqual([{ path, startLine: 3, endLine: 5 }])
})

test('reads mentions with a path and mentions of existing files, each once', async () => {
  const find = async (query: string): Promise<MentionChoice[]> => {
    if (query === 'Makefile') return [file('sub/Makefile'), file('Makefile')]
    if (query === 'src') return [{ path: 'src/', kind: 'directory' }]
    return query === 'broken' ? Promise.reject(new Error('no')) : [file('annotate.ts')]
  }
  const text =
    'See @src/a.ts:10-40, @src/a.ts:10-40 and @Makefile (@b.md:7). Ask @ann, me@x.org, @"my file.md:2" @src @broken'
  expect(await readMentions(text, find)).toEqual([
    { path: 'src/a.ts', startLine: 10, endLine: 40 },
    { path: 'Makefile' },
    { path: 'b.md', startLine: 7, endLine: 7 },
    { path: 'my file.md', startLine: 2, endLine: 2 },
    { path: 'src/' },
  ])
})

test('a resource of a server is not a file, except in quotes', async () => {
  const find = async () => []
  const text = 'see @notes:note://one, @fs:file:///a/b.txt and @"notes:note:one.md" @a.ts:3'
  expect(await readMentions(text, find)).toEqual([
    { path: 'notes:note:one.md' },
    { path: 'a.ts', startLine: 3, endLine: 3 },
  ])
})

test('reports only the latest search, and a failing search finds nothing', async () => {
  const told: string[][] = []
  const answers: ((choices: MentionChoice[]) => void)[] = []
  const aborted: AbortSignal[] = []
  const search = openMentionSearch(
    (query, _limit, signal) => {
      aborted.push(signal)
      if (query === 'bad') return Promise.reject(new Error('no'))
      return new Promise((resolve) => answers.push(resolve))
    },
    (choices) => told.push(choices.map(({ path }) => path)),
  )
  search.query('a')
  search.query('ab')
  answers[1]?.([file('ab.ts')])
  answers[0]?.([file('a.ts')])
  await new Promise(setImmediate)
  expect(told).toEqual([['ab.ts']])
  expect(aborted[0]?.aborted).toBe(true)
  search.query('bad')
  await new Promise(setImmediate)
  expect(told.at(-1)).toEqual([])
})
