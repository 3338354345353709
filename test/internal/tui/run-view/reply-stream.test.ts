// A reply in pieces of any size is drawn as the whole would be; one that breaks off and comes again stands there once.
import { expect, test } from 'vitest'
import { drawMarkdown } from '../../../../internal/render/markdown/markdown.ts'
import { openReplyStream, type ReplyStream } from '../../../../internal/tui/run-view/reply-stream.ts'
import { choice, type Rng, rng } from '../../../support/rng.ts'
import { penOf } from '../../../support/tui.ts'

const { look } = penOf(40)
const blocks = [
  '# Title\n\n',
  'A paragraph that is long enough to be wrapped at forty cells, with **bold** words.\n\n',
  '- one\n- two\n  - three\n\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n\n',
  '```js\nlet a = 1\n\nlet b\n```\n\n',
  '> quoted\n> text\n\n',
  '漢字 and 👩‍👩‍👧 here\n\n',
]
const textOf = (random: Rng) =>
  Array.from({ length: 1 + Math.floor(random() * 8) }, () => choice(random, blocks)).join('')

function feed(stream: ReplyStream, text: string, random: Rng): string[] {
  const lines: string[] = []
  for (let i = 0; i < text.length; ) {
    const size = 1 + Math.floor(random() * 20)
    lines.push(...stream.push(text.slice(i, i + size)))
    i += size
  }
  return lines
}

test('pieces of any size give the lines of the whole', () => {
  for (let seed = 0; seed < 100; seed++) {
    const random = rng(seed)
    const text = textOf(random)
    const stream = openReplyStream(look)
    expect([...feed(stream, text, random), ...stream.end()]).toEqual(drawMarkdown(text, look))
    // the next reply begins anew
    expect([...stream.push('next'), ...stream.end()]).toEqual(['next'])
  }
})

test('a reply that breaks off any number of times and says the same again stands there once', () => {
  for (let seed = 0; seed < 200; seed++) {
    const random = rng(seed)
    const text = textOf(random)
    const stream = openReplyStream(look)
    const lines: string[] = []
    for (let breaks = Math.floor(random() * 4); breaks > 0; breaks--) {
      const at = Math.floor(random() * text.length)
      lines.push(...feed(stream, text.slice(0, at), random))
      expect(stream.discard()).toBe(at > 0 || lines.length > 0)
    }
    lines.push(...feed(stream, text, random), ...stream.end())
    expect(lines).toEqual(drawMarkdown(text, look))
  }
})

test('what stands there last is always the reply that was kept', () => {
  for (let seed = 0; seed < 200; seed++) {
    const random = rng(seed)
    const [first, second] = [textOf(random), random() < 0.5 ? textOf(random) : 'A shorter one.\n']
    const stream = openReplyStream(look)
    const lines = feed(stream, first.slice(0, Math.floor(random() * first.length)), random)
    stream.discard()
    lines.push(...feed(stream, second, random), ...stream.end())
    const whole = drawMarkdown(second, look)
    expect(lines.slice(-whole.length)).toEqual(whole)
  }
})

test('a reply that says nothing the second time adds nothing', () => {
  const stream = openReplyStream(look)
  expect(stream.discard()).toBe(false)
  expect(stream.push('one\n\ntwo')).toEqual(['one'])
  expect(stream.discard()).toBe(true)
  expect(stream.end()).toEqual([])
  expect([...stream.push('one'), ...stream.end()]).toEqual(['one'])
})

test('the tail is the end of the line that goes on', () => {
  const stream = openReplyStream(look)
  stream.push('one\ntwo th')
  expect(stream.tail()).toBe('two th')
  stream.push('ree')
  expect(stream.tail()).toBe('two three')
  stream.push('x'.repeat(5_000))
  expect(stream.tail()).toHaveLength(1_000)
  stream.end()
  expect(stream.tail()).toBe('')
})
