// Responses as a terminal shows them: in pieces of any size, each line once, also if they are
// interrupted and repeated.
import { expect, test } from 'vitest'
import { drawMarkdown } from '../../../../internal/render/markdown/markdown.ts'
import type { RenderLook } from '../../../../internal/render/pen.ts'
import { openReplyWords } from '../../../../internal/tui/run-view/reply-words.ts'
import { random, randomText } from '../../../support/random-markdown.ts'
import { choice, type Rng, rng } from '../../../support/rng.ts'
import { lookOf } from '../../../support/session-view.ts'
import { penOf } from '../../../support/tui.ts'

const calls = [{ id: '1', name: 'read', args: {} }]

function open(isWhole: boolean) {
  const lines: string[] = []
  const words = openReplyWords(() => penOf(40).look, { isWhole })
  const put = (more: readonly string[]) => void lines.push(...more)
  const display = {
    delta: (payload: Parameters<typeof words.delta>[0]) => put(words.delta(payload)),
    message: (payload: Parameters<typeof words.message>[0]) => put(words.message(payload)),
    end: () => put(words.end()),
    answer: (text: string) => put(words.answer(text)),
    discard: words.discard,
    tail: words.tail,
  }
  return { lines, display }
}

test('prints text before the response has ended, and does not draw the answer again', () => {
  const { lines, display } = open(false)
  display.delta({ text: '**one**\n\ntw' })
  expect(lines).toEqual(['one'])
  expect(display.tail()).toBe('tw')
  display.delta({ text: 'o' })
  display.delta({ reasoning: 'hidden' })
  display.message({ role: 'assistant', text: '**one**\n\ntwo' })
  display.end()
  display.answer('**one**\n\ntwo')
  expect(lines).toEqual(['one', '', 'two'])
  display.answer('another')
  expect(lines.at(-1)).toBe('another')
})

test('draws a message that was not streamed, unless it is from a user', () => {
  const { lines, display } = open(false)
  display.message({ role: 'user', text: 'question' })
  display.message({ role: 'assistant', text: '*remark*', calls })
  expect(lines).toEqual(['remark'])
})

test('shows only notices, in full, if the answer goes elsewhere', () => {
  const { lines, display } = open(true)
  display.delta({ text: 'one\n\ntwo' })
  expect(lines).toEqual([])
  display.message({ role: 'assistant', text: 'one\n\ntwo', calls })
  expect(lines).toEqual(['one', '', 'two'])
  display.delta({ text: 'the\n\nanswer' })
  display.message({ role: 'assistant', text: 'the\n\nanswer' })
  display.end()
  expect(lines).toEqual(['one', '', 'two'])
})

test('keeps the visible text of an interrupted response', () => {
  const { lines, display } = open(false)
  display.delta({ text: 'half a' })
  expect(display.discard()).toBe(true)
  expect(display.discard()).toBe(false)
  display.delta({ text: 'half a sen' })
  display.end()
  expect(lines).toEqual(['half a sen'])
})

const { look } = penOf(40)

/** Returns the stream of one response in pieces. */
function streamOf(shownLook: RenderLook) {
  const words = openReplyWords(() => shownLook, { isWhole: false })
  return { ...words, push: (text: string) => words.delta({ text }) }
}
type WordStream = ReturnType<typeof streamOf>
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

function feed(stream: WordStream, text: string, random: Rng): string[] {
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
    const stream = streamOf(look)
    expect([...feed(stream, text, random), ...stream.end()]).toEqual(drawMarkdown(text, look))
    // the next response starts again
    expect([...stream.push('next'), ...stream.end()]).toEqual(['next'])
  }
})

test('a response that is interrupted any number of times and repeats its text appears once', () => {
  for (let seed = 0; seed < 200; seed++) {
    const random = rng(seed)
    const text = textOf(random)
    const stream = streamOf(look)
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

test('the last lines are always the stored response', () => {
  for (let seed = 0; seed < 200; seed++) {
    const random = rng(seed)
    const [first, second] = [textOf(random), random() < 0.5 ? textOf(random) : 'A shorter one.\n']
    const stream = streamOf(look)
    const lines = feed(stream, first.slice(0, Math.floor(random() * first.length)), random)
    stream.discard()
    lines.push(...feed(stream, second, random), ...stream.end())
    const whole = drawMarkdown(second, look)
    expect(lines.slice(-whole.length)).toEqual(whole)
  }
})

test('adds nothing for a response without text in the second attempt', () => {
  const stream = streamOf(look)
  expect(stream.discard()).toBe(false)
  expect(stream.push('one\n\ntwo')).toEqual(['one'])
  expect(stream.discard()).toBe(true)
  expect(stream.end()).toEqual([])
  expect([...stream.push('one'), ...stream.end()]).toEqual(['one'])
})

test('the tail is the end of the incomplete line', () => {
  const stream = streamOf(look)
  stream.push('one\ntwo th')
  expect(stream.tail()).toBe('two th')
  stream.push('ree')
  expect(stream.tail()).toBe('two three')
  stream.push('x'.repeat(5_000))
  expect(stream.tail()).toHaveLength(1_000)
  stream.end()
  expect(stream.tail()).toBe('')
})

test('in pieces of any size 400 random texts give the same lines as whole', () => {
  for (let i = 0; i < 400; i++) {
    // The definition of a reference may come later, which a stream cannot know.
    const text = randomText().replaceAll('[ref]', 'ref')
    const size = 1 + random(60)
    const stream = streamOf(lookOf(50))
    const lines: string[] = []
    for (let at = 0; at < text.length; at += size) lines.push(...stream.push(text.slice(at, at + size)))
    lines.push(...stream.end())
    // Empty lines at the end of unclosed code are drawn before the stream knows that nothing follows.
    const trimmed = (all: string[]) => all.join('\n').trimEnd()
    expect(trimmed(lines), JSON.stringify({ text, size })).toBe(trimmed(drawMarkdown(text, lookOf(50))))
  }
})

test('code appears line by line while its block is open', () => {
  const stream = streamOf(lookOf(40))
  expect(stream.push('Text\n\n```\none\n')).toEqual(['Text', '', '  one'])
  expect(stream.push('two\nthr')).toEqual(['  two'])
  expect(stream.push('ee\n```\n')).toEqual(['  three'])
  expect(stream.end()).toEqual([])
})

test.each([
  ['# Title\n', ['Title']],
  ['one\n\n', ['one']],
  ['one\n \n', ['one']],
  ['---\n', ['─'.repeat(20)]],
  ['| a |\n|---|\n| 1 |\n\n', ['┌───┐', '│ a │', '├───┤', '│ 1 │', '└───┘']],
])('%j is drawn as soon as it has ended', (text, expected) => {
  const stream = streamOf(lookOf(20))
  expect(stream.push(text.slice(0, -1))).toEqual([])
  expect(stream.push('\n')).toEqual(expected)
  expect(stream.end()).toEqual([])
})

test.each(['one\n', '- one\n\n', '> one\n\n', 'one\n===', '```\n\n', '<b>\n'])('%j may continue', (text) => {
  expect(
    streamOf(lookOf(20))
      .push(text)
      .map((line) => line.trim())
      .join(''),
  ).toBe('')
})

test('a block of 5,000 lines in pieces stays linear', () => {
  const stream = streamOf(lookOf(80))
  const begin = process.cpuUsage()
  stream.push('| a | b |\n|---|---|\n')
  for (let i = 0; i < 5_000; i++) stream.push(`| ${i} | some text |\n`)
  expect(stream.end().length).toBe(5_004)
  const { user, system } = process.cpuUsage(begin)
  expect((user + system) / 1_000).toBeLessThan(20_000)
})
