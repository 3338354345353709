// Text of a model that would hold up or end the program that draws it: an answer in time, and nothing is lost.
import { expect, test } from 'vitest'
import { splitFinished } from '../../../../internal/render/markdown/finished-blocks.ts'
import { drawMarkdown } from '../../../../internal/render/markdown/markdown.ts'
import { readBlocks } from '../../../../internal/render/markdown/read-blocks.ts'
import type { RenderLook } from '../../../../internal/render/pen.ts'
import { openReplyWords } from '../../../../internal/tui/run-view/reply-words.ts'
import { sampleRows } from '../../../support/sample.ts'

const look: RenderLook = { width: 80, color: 0, unicode: true, ambiguous: 1, all: true }

const depths = sampleRows([10, 200, 1_500, 3_500, 10_000], 2)
const hostile: [string, string][] = [
  ...depths.map((n): [string, string] => [`quotes, ${n} deep`, `${'> '.repeat(n)}end`]),
  ...depths.map((n): [string, string] => [`lists, ${n} deep`, `${'- '.repeat(n)}end`]),
  ...depths.map((n): [string, string] => [`numbers, ${n} deep`, `${'1. '.repeat(n)}end`]),
  ...depths.map((n): [string, string] => [`brackets, ${n}`, `${'['.repeat(n)}end${']'.repeat(n)}`]),
  ...['_a', '*a', '**a', '`a', '[a](', '![', '~~a', '<a', '&a', '\\'].map((piece): [string, string] => [
    `${piece} 30,000 times`,
    `${piece.repeat(30_000)} end`,
  ]),
]

test.each(hostile)('reads hostile text in time: %s', (_name, text) => {
  const began = process.cpuUsage()
  const drawn = drawMarkdown(text, look).join('')
  const words = openReplyWords(() => look, { isWhole: false })
  const streamed = [...words.delta({ text: `${text}\n\n` }), ...words.end()].join('')
  splitFinished(`${text}\n\n`)
  const { user } = process.cpuUsage(began)
  expect(drawn.replaceAll(/\s/g, '')).toContain('end')
  expect(streamed.replaceAll(/\s/g, '')).toContain('end')
  expect(user / 1_000).toBeLessThan(3_000)
})

test('texts that the parser accepts are parsed', () => {
  expect(readBlocks('# A\n\n- b\n').map(({ type }) => type)).toEqual(['heading', 'space', 'list'])
  const [block] = readBlocks(`a *b* ${'x'.repeat(9_000)}`)
  expect(block).toMatchObject({ type: 'paragraph', tokens: [{ type: 'text' }] })
})
