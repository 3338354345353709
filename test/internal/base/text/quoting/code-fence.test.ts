// Fences around texts with backticks of every length.
import { expect, it } from 'vitest'
import { fenceOf, fenceText } from '../../../../../internal/base/text/quoting/code-fence.ts'

it.each([
  { text: '', fence: '```' },
  { text: 'a `b` c', fence: '```' },
  { text: '``', fence: '```' },
  { text: 'a\n```\nb', fence: '````' },
  { text: '```` and ``', fence: '`````' },
])('$text', ({ text, fence }) => {
  expect(fenceOf(text)).toBe(fence)
  expect(fenceText(text)).toBe(`${fence}\n${text}\n${fence}`)
  expect(fenceText(text, 'ts')).toBe(`${fence}ts\n${text}\n${fence}`)
})
