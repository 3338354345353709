// Frontmatter: what counts as a head, and errors that name the line.
import { expect, test } from 'vitest'
import { readFrontmatter, splitFrontmatter } from '../../../../internal/base/text/frontmatter.ts'

test.each([
  ['---\na: 1\n---\nbody\n', { head: 'a: 1', body: 'body' }],
  ['\uFEFF---\r\na: 1\r\n---\r\n\r\nbody\r\nmore', { head: 'a: 1', body: 'body\nmore' }],
  ['---\n---\n', { head: '', body: '' }],
  ['---\na: 1\n---\nbody\n---\nrule', { head: 'a: 1', body: 'body\n---\nrule' }],
  ['body only', undefined],
  ['---\na: 1\nno end', undefined],
  ['', undefined],
])('split %j', (text, parts) => {
  expect(splitFrontmatter(text)).toEqual(parts)
})

test('reads the head as YAML', async () => {
  expect(await readFrontmatter('---\nname: x\ntools: [a, "b*"]\non: yes\n---\n\nThe body.\n')).toEqual({
    fields: { name: 'x', tools: ['a', 'b*'], on: 'yes' },
    body: 'The body.',
  })
})

test.each([
  ['text', 'no frontmatter'],
  ['---\na: [1\n---\n', 'not valid YAML in line'],
  ['---\na: 1\na: 2\n---\n', 'not valid YAML in line 3'],
  ['---\n- a\n---\n', 'no `key: value` lines'],
  ['---\n\n---\n', 'no `key: value` lines'],
])('says what is wrong with %j', async (text, message) => {
  await expect(readFrontmatter(text)).rejects.toThrow(message)
})

const sentences = [
  'Use when: asked',
  'a: b: c',
  '[beta] Tests pages',
  '[beta]',
  '{draft} Tests pages',
  '@home Tests pages',
  '`code` first',
  '%percent',
  '*star* first',
  '&and then',
  '!important text',
  '- a dash',
  '? a question',
  '| a pipe'.slice(2),
  '"Quoted" and more',
  "'Quoted' and more",
  "It's: fine",
  'ends with a colon:',
  'C# and F#: languages',
  'emoji 🎉: yes',
  'tab\there: x',
  'https://example.org: a page',
  'plain text',
  '#no-comment: x'.slice(1),
]
const rows = ['description', 'about', 'argument-hint'].flatMap((key) =>
  sentences.map((sentence) => [key, sentence] as const),
)

test.each(rows)('%s: %j needs no quotes', async (key, sentence) => {
  const { fields, body } = await readFrontmatter(`---\nfirst: 1\n${key}: ${sentence}\nlast: [a]\n---\nB\n`)
  expect(fields).toEqual({ first: 1, [key]: sentence, last: ['a'] })
  expect(body).toBe('B')
})

test.each(sentences)('%j continues over several lines', async (sentence) => {
  const text = `---\ndescription: ${sentence}\n  Then: more,\n  [and] more\nlast: x\n---\n`
  const { fields } = await readFrontmatter(text)
  expect(fields).toEqual({ description: `${sentence} Then: more, [and] more`, last: 'x' })
})

test.each([
  ['"a: \\"b\\""', 'a: "b"'],
  ["'it''s'", "it's"],
  ['|\n  a: b\n  c', 'a: b\nc\n'],
  ['>-\n  a: b\n  c', 'a: b c'],
  ['a # comment', 'a'],
  ['7', 7],
])('keeps the type of a YAML value: %j', async (source, value) => {
  expect((await readFrontmatter(`---\ndescription: ${source}\nlast: x\n---\n`)).fields).toEqual({
    description: value,
    last: 'x',
  })
})

test('a later error names its own line', async () => {
  await expect(readFrontmatter('---\ndescription: a: b\n  c: d\nx: 1\nx: 2\n---\n')).rejects.toThrow(
    'in line 5',
  )
})
