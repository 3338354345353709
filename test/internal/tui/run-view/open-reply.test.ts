// A response while it streams: every finished part is printed once, also if the response is
// interrupted and repeated.
import { describe, expect, test } from 'vitest'
import { drawMarkdown } from '../../../../internal/render/markdown/markdown.ts'
import {
  advanceReply,
  createTallSplit,
  drawFinishedPart,
  drawOpenPart,
  drawReplyState,
  finishReply,
  noReplyParts,
  type ReplyParts,
} from '../../../../internal/tui/run-view/open-reply.ts'
import { choice, rng } from '../../../support/rng.ts'
import { lookOf } from '../../../support/session-view.ts'

const look = lookOf(60)
const since = 1

/** Feeds successive states of a text. Returns the printed lines, and the open lines at the end. */
function stream(states: readonly { text: string; since: number }[], last?: string, rows?: number) {
  let parts: ReplyParts = noReplyParts
  const printed: string[] = []
  for (const state of states) {
    const step = advanceReply(parts, state, rows === undefined ? undefined : createTallSplit(rows, look))
    parts = step.parts
    if (step.finished) printed.push(...drawFinishedPart(step.finished, look))
  }
  const rest = last === undefined ? undefined : finishReply(parts, last)
  if (rest) printed.push(...drawFinishedPart(rest, look))
  return { printed, open: drawOpenPart(parts, look) }
}
const growing = (text: string, at = since) =>
  Array.from({ length: text.length }, (_, i) => ({ text: text.slice(0, i + 1), since: at }))
const whole = (text: string) => drawMarkdown(text, lookOf(59)).map((line) => (line === '' ? '' : ` ${line}`))

const text = 'First.\n\n```ts\nconst a = 1\nconst b = 2\n```\n\n- one\n- two\n\nLast *words*.'

test('prints the whole response when it arrives letter by letter', () => {
  expect(stream(growing(text), text).printed).toEqual(whole(text))
})

test('pieces of any size print the same lines', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = rng(seed)
    const states = growing(text).filter(() => random() < 0.2)
    expect(stream(states, text).printed).toEqual(whole(text))
  }
})

test('colors code of a stream like the code of the whole response, also in long comments', () => {
  const colored = lookOf(60, 3)
  const code = `Say:\n\n\`\`\`ts\nconst a = 1\n/* one\n${'two\n'.repeat(30)}*/\nconst b = 'x'\n\`\`\`\n\nEnd.`
  const lines = drawMarkdown(code, lookOf(59, 3)).map((line) => (line === '' ? '' : ` ${line}`))
  expect(lines.join('\n')).toContain('\x1b[35mconst')
  for (const step of [1, 7, 50]) {
    let parts: ReplyParts = noReplyParts
    const printed: string[] = []
    for (let end = step; ; end += step) {
      const next = advanceReply(parts, { text: code.slice(0, end), since })
      parts = next.parts
      if (next.finished) printed.push(...drawFinishedPart(next.finished, colored))
      // the open line has the colors that it will keep
      const [open = ''] = drawOpenPart(parts, colored)
      if (parts.open === "const b = 'x'") expect(open).toBe(lines.find((line) => line.includes("'x'")))
      if (end >= code.length) break
    }
    const rest = finishReply(parts, code)
    if (rest) printed.push(...drawFinishedPart(rest, colored))
    expect(printed).toEqual(lines)
  }
})

const gappedCode = 'First.\n\n```ts\nconst a = 1\n\nconst b = 2\n\n\nconst c = 3\n```\n\nLast.'

test('prints empty lines of code once, wherever the text is cut', () => {
  for (let at = 1; at < gappedCode.length; at++) {
    const states = [
      { text: gappedCode.slice(0, at), since },
      { text: gappedCode, since },
    ]
    expect(stream(states, gappedCode).printed).toEqual(whole(gappedCode))
    const again = [...states.slice(0, 1), ...states.map(({ text }) => ({ text, since: since + 1 }))]
    expect(stream(again, gappedCode).printed).toEqual(whole(gappedCode))
  }
})

test('treats a final text without trailing spaces as the same response', () => {
  const streamed = 'First.\n\n```\na\n```\n\n'
  expect(stream(growing(streamed), streamed.trimEnd()).printed).toEqual(whole(streamed))
})

const items = (line: (i: number) => string) => Array.from({ length: 12 }, (_, i) => line(i)).join('')
const longLists: [string, string][] = [
  ['bullets', items((i) => `- item ${i}\n`)],
  ['numbers', items((i) => `${i + 7}. item ${i}\n`)],
  ['numbers that a model has left to the reader', items((i) => `11. item ${i}\n`)],
  ['items within items', items((i) => `- item ${i}\n  - one\n  - two\n    with more\n`)],
  ['items apart', items((i) => `- item ${i}\n\n  more of it\n\n`)],
]
test.each(longLists)('prints the finished items of a long list: %s', (_, list) => {
  const reply = `Before.\n\n${list}\nBehind.\n\n- new\n`
  const { printed, open } = stream(growing(`Before.\n\n${list}`), undefined, 8)
  expect(printed.join('\n')).toMatch(/item 6\b/)
  expect([...printed, ...open]).toEqual(whole(`Before.\n\n${list}`))
  expect(open.length).toBeLessThan(9)
  expect(stream(growing(reply), reply, 8).printed).toEqual(whole(reply))
  const broken = growing(reply.slice(0, Math.floor(reply.length * 0.6)))
  expect(stream([...broken, ...growing(reply, 2)], reply, 8).printed).toEqual(whole(reply))
  // a short list waits for its end
  expect(stream(growing(`Before.\n\n${list}`), undefined, 90).printed).toEqual([' Before.'])
})

test('prints the finished rows of a long paragraph once, also if the response is repeated', () => {
  const words = Array.from({ length: 200 }, (_, i) => (i % 9 === 8 ? `**word ${i}**` : `word${i}`)).join(' ')
  const reply = `Before.\n\n${words}\n\nAfter.\n`
  const { printed, open } = stream(growing(`Before.\n\n${words}`), undefined, 8)
  expect(printed.join('\n')).toMatch(/word150\b/)
  expect([...printed, ...open]).toEqual(whole(`Before.\n\n${words}`))
  expect(stream(growing(reply), reply, 8).printed).toEqual(whole(reply))
  const broken = growing(reply.slice(0, Math.floor(reply.length * 0.6)))
  expect(stream([...broken, ...growing(reply, 2)], reply, 8).printed).toEqual(whole(reply))
})

test('prints the rows of an open paragraph early only if a narrower terminal would have no room', () => {
  const words = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ')
  // the text needs 9 rows at 60 columns, and 12 at 40 columns
  expect(stream(growing(words), undefined, 12).printed).not.toEqual([])
  expect(stream(growing(words), undefined, 20).printed).toEqual([])
})

test('draws the open part below the printed text, without it', () => {
  const { printed, open } = stream(growing('First.\n\nSecond is'))
  expect(printed).toEqual([' First.'])
  expect(open).toEqual(['', ' Second is'])
})

test('the open lines of code follow the printed ones', () => {
  const { printed, open } = stream(growing('```ts\nconst a = 1\nconst b'))
  expect([...printed, ...open]).toEqual(['   const a = 1', '   const b'])
})

describe('an interrupted response', () => {
  test('is printed once if it repeats the same text', () => {
    const broken = growing('First.\n\n```ts\nconst a = 1\ncon')
    expect(stream([...broken, ...growing(text, 2)], text).printed).toEqual(whole(text))
  })

  test('is followed by the whole second response if the text differs', () => {
    const { printed } = stream(
      [...growing('First.\n\nSecond.\n\nThi'), ...growing('Other.\n\nEnd', 2)],
      'Other.\n\nEnd',
    )
    expect(printed).toEqual([' First.', '', ' Second.', '', ' Other.', '', ' End'])
  })

  test('gives the same result if frames skip states, many times', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const random = rng(seed)
      const states = [1, 2, 3].flatMap((at) => {
        const all = growing(text.slice(0, Math.floor(random() * text.length)), at)
        return all.filter(() => random() < 0.3)
      })
      const last = growing(text, 9).filter(() => random() < choice(random, [0, 0.1, 1]))
      expect(stream([...states, ...last], text).printed, String(seed)).toEqual(whole(text))
    }
  })
})

test('draws only the end of a long open part', () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => `- item ${i}`).join('\n')
  const { open } = stream([{ text: rows, since }])
  expect(open.length).toBeLessThan(2_500)
  expect(open.at(-1)).toContain('item 4999')
})

test('a frame takes a part of a response that arrives faster than it is drawn, and the end is complete', () => {
  const flood = Array.from({ length: 20_000 }, (_, i) => `Paragraph ${i}.\n\n`).join('')
  const first = advanceReply(noReplyParts, { text: flood, since })
  expect(first.finished?.text.length).toBeLessThan(flood.length / 4)
  const second = advanceReply(first.parts, { text: flood, since })
  expect(second.finished?.text).toMatch(/^\s*Paragraph \d+\./)
  const rest = finishReply(second.parts, flood)
  expect(`${first.finished?.text}${second.finished?.text}${rest?.text}`).toBe(flood)
})

test.each([
  [{ text: '', reasoning: '', since: 0 }, ' waiting for the model  2.0 s'],
  [{ text: '', reasoning: 'hm', since: 0 }, ' thinks  2.0 s'],
  [{ text: '', reasoning: '', since: 0, retry: { attempt: 2, tries: 5 } }, ' interrupted, retried, 2 of 5'],
])('draws %j as one line', (reply, line) => {
  expect(drawReplyState(reply, 2_000, look)).toEqual([line])
})
