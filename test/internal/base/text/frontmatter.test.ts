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
