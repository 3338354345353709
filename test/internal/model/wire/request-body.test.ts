// Bodies of requests: the joined list of texts, and bytes that are overwritten only after they are released.
import { expect, test } from 'vitest'
import { encodeBody, listTexts } from '../../../../internal/model/wire/request-body.ts'

test('joins texts to one list, for one text or several per value', () => {
  expect(listTexts([]).join('')).toBe('[]')
  expect(listTexts(['1', ['{"a":', '"ö"', '}'], '2']).join('')).toBe('[1,{"a":"ö"},2]')
})

test('returns the bytes of the texts, also for multi-byte characters', () => {
  const body = ['{"a":"', 'käse 🧀', '","b":"', 'x'.repeat(5000), '"}']
  expect(encodeBody(body).bytes.equals(Buffer.from(body.join('')))).toBe(true)
})

test('does not change the bytes of a body that is not released', () => {
  const first = encodeBody(['first '.repeat(100)])
  const second = encodeBody(['second '.repeat(100)])
  expect(first.bytes.toString()).toBe('first '.repeat(100))
  first.release()
  const third = encodeBody(['third '])
  expect(third.bytes.buffer).toBe(first.bytes.buffer)
  expect(second.bytes.toString()).toBe('second '.repeat(100))
  // the caller that released them does not read them again
  expect(third.bytes.toString()).toBe('third ')
})

test('allocates a body that is larger than the free space', () => {
  const small = encodeBody(['small'])
  small.release()
  const large = encodeBody(['large'.repeat(10_000)])
  expect(large.bytes.length).toBe(50_000)
  expect(large.bytes.subarray(-5).toString()).toBe('large')
})

test('writes the common beginning with the previous body once, also when it moves to a larger space', () => {
  const head = ['{"ö":', '[1', ',2']
  const turns = [head, [...head, ',"ä"', ']}'], [...head, ',"ä"', ',"🧀"'.repeat(20_000), ']}'], ['{}'], head]
  for (const body of turns) {
    const { bytes, release } = encodeBody(body)
    expect(bytes.equals(Buffer.from(body.join('')))).toBe(true)
    release()
  }
  const { bytes, release } = encodeBody(head)
  release()
  // a body without a common beginning is not mistaken for the previous one
  expect(encodeBody(['{"ü":', '[1', ',2']).bytes.toString()).toBe('{"ü":[1,2')
  expect(bytes.toString()).toBe('{"ü":[1,2')
})
