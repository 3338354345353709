// A Markdown text that grows: what is finished is drawn once, and all parts together are the whole.
import { describe, expect, test } from 'vitest'
import { splitFinished } from '../../../../internal/render/markdown/finished-blocks.ts'
import { drawMarkdown } from '../../../../internal/render/markdown/markdown.ts'
import { lookOf } from '../../../support/session-view.ts'
import { below, hostile, pick, random } from '../random.ts'

/** Returns the split without its blocks, which exist only for a finished part. */
function splitText(text: string, fence?: string) {
  const { blocks: read, ...split } = splitFinished(text, fence)
  expect(read.length > 0).toBe(split.done !== '')
  return split
}

describe('a part is finished', () => {
  test.each([
    ['Hello', '', 'Hello', ''],
    ['One.\nTwo', '', 'One.\nTwo', ''],
    ['One.\n\nTwo', 'One.', '\n\nTwo', ''],
    ['# Title\nText', '# Title\n', 'Text', ''],
    ['- a\n- b\n', '', '- a\n- b\n', ''],
    ['```ts\nconst a = 1\nconst', '```ts\nconst a = 1\n', 'const', '```ts\n'],
    ['```\na\n```\nText', '```\na\n```\n', 'Text', ''],
  ])('%j', (text, done, open, fence) => {
    expect(splitText(text)).toEqual({ done, open, fence })
  })

  test('splits inside of the code block in which the text begins', () => {
    expect(splitText('b\nc', '```\n')).toEqual({ done: 'b\n', open: 'c', fence: '```\n' })
    expect(splitText('b\n```\nText', '```\n')).toEqual({ done: 'b\n```\n', open: 'Text', fence: '' })
  })
})

test('keeps half an escape sequence until the rest of its line arrives', () => {
  const first = splitFinished('One\u001b[3')
  expect(splitText(`${first.open}1m.\n\nTwo`)).toEqual({ done: 'One.', open: '\n\nTwo', fence: '' })
})

const blocks = [
  '# Title\n\n',
  'Some words and **more** of them.\n\n',
  '- one\n- two\n  - three\n\n',
  '```ts\nconst a = 1\n\nconst b = 2\n```\n\n',
  '~~~\nx\n~~~\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n\n',
  '> quoted\n\n',
  '---\n\n',
  '1. a\n2. b\n\n',
]

test('200 texts in random pieces: the parts, each behind its fence, are the lines of the whole', () => {
  const look = lookOf(60)
  const bare = (lines: string[]) => lines.filter((line) => line.trim() !== '')
  for (let seed = 1; seed <= 200; seed++) {
    const rng = random(seed)
    const text = Array.from({ length: 1 + below(rng, 6) }, () => pick(rng, blocks)).join('')
    const lines: string[] = []
    let open = ''
    let fence = ''
    for (let at = 0; at < text.length; ) {
      const size = 1 + below(rng, 12)
      const split = splitFinished(open + text.slice(at, at + size), fence)
      if (split.done !== '') lines.push(...drawMarkdown(fence + split.done, look))
      open = split.open
      fence = split.fence
      at += size
    }
    if (open !== '') lines.push(...drawMarkdown(fence + open, look))
    expect(bare(lines), JSON.stringify(text)).toEqual(bare(drawMarkdown(text, look)))
  }
})

test('hostile texts lose nothing but what the filter takes', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const rng = random(seed)
    const text = hostile(rng, 40)
    const { done, open } = splitFinished(text)
    expect(drawMarkdown(done + open, lookOf(20)).filter((row) => row.includes('\n'))).toEqual([])
  }
})
