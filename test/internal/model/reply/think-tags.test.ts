// Checks that reasoning between think tags is read from text in any pieces.
import { expect, test } from 'vitest'
import { thinkReader } from '../../../../internal/model/reply/think-tags.ts'

/** Returns the rest of a response that arrives in pieces of `size` characters. */
function read(reply: string, size: number, isOpen = false) {
  const reader = thinkReader(isOpen)
  const said = { text: '', reasoning: '' }
  const take = ({ parts, isRetracted }: ReturnType<typeof reader.push>) => {
    if (isRetracted) said.text = said.reasoning = ''
    for (const { type, text } of parts) said[type] += text
  }
  for (let at = 0; at < reply.length; at += size) take(reader.push(reply.slice(at, at + size)))
  take(reader.close())
  return said
}

const rows: [string, string, string][] = [
  ['<think>a\nb</think>\n\nanswer', 'answer', 'a\nb'],
  ['\n <think>a</think>answer', 'answer', 'a'],
  ['<thinking>a</thinking> answer', 'answer', 'a'],
  ['<think></think>answer', 'answer', ''],
  ['<think>a</think><think>b</think>answer', 'answer', 'ab'],
  ['<think>never closed', '', 'never closed'],
  ['reasoning\n</think>\n\nanswer', 'answer', 'reasoning\n'],
  ['reasoning</think>answer', 'answer', 'reasoning'],
  ['reasoning </think>', '', 'reasoning '],
  ['answer', 'answer', ''],
  ['a < b and <thin air', 'a < b and <thin air', ''],
  ['  \n', '  \n', ''],
  ['use `</think>` to close', 'use `</think>` to close', ''],
  ['```\n</think>\n```\nx', '```\n</think>\n```\nx', ''],
  ['the tag </think> closes it', 'the tag </think> closes it', ''],
  ['<think>a</think>b </think> c', 'b </think> c', 'a'],
]

test.each(rows)('separates reasoning from text in %j', (reply, text, reasoning) => {
  for (let size = 1; size <= reply.length; size++) expect(read(reply, size)).toEqual({ text, reasoning })
})

test('a response that seems to start inside of reasoning is text if no tag closes the reasoning', () => {
  expect(read('a</think>b', 3, true)).toEqual({ text: 'b', reasoning: 'a' })
  expect(read('answer', 3, true).text).toBe('answer')
})
