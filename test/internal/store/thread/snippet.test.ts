// Snippets: around the densest place, at word boundaries, with marks where something is missing.
import { expect, test } from 'vitest'
import { cutExcerpt, makeSnippet } from '../../../../internal/store/thread/snippet.ts'

const filler = (n: number) => Array.from({ length: n }, (_, i) => `word${i}`).join(' ')

test.each<[string, string, string[], RegExp]>([
  ['short texts are whole', 'one\n two', ['two'], /^one two$/],
  ['the beginning when nothing is found', filler(100), ['nowhere'], /^word0 word1 .*…$/],
  ['the end', `${filler(100)} needle`, ['needle'], /^…word.* needle$/],
  ['the middle', `${filler(60)} needle ${filler(60)}`, ['needle'], /^….* needle .*…$/],
  [
    'the place with most terms',
    `needle ${filler(90)} needle thread ${filler(90)}`,
    ['needle', 'thread'],
    /needle thread/,
  ],
  ['other case and accents', `${filler(60)} CAFÉ ${filler(60)}`, ['cafe'], /CAFÉ/],
  ['other endings', `${filler(60)} refactored ${filler(60)}`, ['refactoring'], /refactored/],
])('cuts a snippet: %s', (_, text, terms, expected) => {
  const line = makeSnippet(text, terms)
  expect(line).toMatch(expected)
  expect(line.length).toBeLessThan(210)
})

test('an excerpt keeps the line breaks of its text', () => {
  expect(cutExcerpt(`a\nb needle\n${filler(100)}`, ['needle'], 100)).toMatch(/^a\nb needle\nword0 .*…$/)
})

test('cuts a very long text without spaces in time', () => {
  expect(cutExcerpt('x'.repeat(5_000_000), ['x', 'xx', 'y'], 100).length).toBeLessThan(110)
})
