// Replies as a terminal shows them: streamed where the answer goes there, only remarks where it does not.
import { expect, test } from 'vitest'
import { openReplyWords } from '../../../../internal/tui/run-view/reply-words.ts'
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

test('text comes before the reply has ended, and the answer is not drawn again', () => {
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

test('a message that was not streamed is drawn, a person’s is not', () => {
  const { lines, display } = open(false)
  display.message({ role: 'user', text: 'question' })
  display.message({ role: 'assistant', text: '*remark*', calls })
  expect(lines).toEqual(['remark'])
})

test('where the answer goes elsewhere only remarks are shown, whole', () => {
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

test('what was seen of a reply that was cut short stays', () => {
  const { lines, display } = open(false)
  display.delta({ text: 'half a' })
  expect(display.discard()).toBe(true)
  expect(display.discard()).toBe(false)
  display.delta({ text: 'half a sen' })
  display.end()
  expect(lines).toEqual(['half a sen'])
})
