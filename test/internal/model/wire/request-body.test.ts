// Checks bodies of requests: the list that texts make, and bytes that are only written over once they are free.
import { expect, test } from 'vitest'
import { encodeBody, listTexts } from '../../../../internal/model/wire/request-body.ts'

test('texts make one list, whether a value is one text or several', () => {
  expect(listTexts([]).join('')).toBe('[]')
  expect(listTexts(['1', ['{"a":', '"ö"', '}'], '2']).join('')).toBe('[1,{"a":"ö"},2]')
})

test('bytes are those of the texts, also where a character takes several', () => {
  const body = ['{"a":"', 'käse 🧀', '","b":"', 'x'.repeat(5000), '"}']
  expect(encodeBody(body).bytes.equals(Buffer.from(body.join('')))).toBe(true)
})

test('the bytes of a body that is not released stay as they are', () => {
  const first = encodeBody(['first '.repeat(100)])
  const second = encodeBody(['second '.repeat(100)])
  expect(first.bytes.toString()).toBe('first '.repeat(100))
  first.release()
  const third = encodeBody(['third '])
  expect(third.bytes.buffer).toBe(first.bytes.buffer)
  expect(second.bytes.toString()).toBe('second '.repeat(100))
  // whoever released them looks at them no more
  expect(third.bytes.toString()).toBe('third ')
})

test('a body that is larger than what is free takes its own', () => {
  const small = encodeBody(['small'])
  small.release()
  const large = encodeBody(['large'.repeat(10_000)])
  expect(large.bytes.length).toBe(50_000)
  expect(large.bytes.subarray(-5).toString()).toBe('large')
})

test('what a body and the one before begin with is written once, also where it moves to more room', () => {
  const head = ['{"ö":', '[1', ',2']
  const turns = [head, [...head, ',"ä"', ']}'], [...head, ',"ä"', ',"🧀"'.repeat(20_000), ']}'], ['{}'], head]
  for (const body of turns) {
    const { bytes, release } = encodeBody(body)
    expect(bytes.equals(Buffer.from(body.join('')))).toBe(true)
    release()
  }
  const { bytes, release } = encodeBody(head)
  release()
  // a body that shares nothing is not mistaken for it
  expect(encodeBody(['{"ü":', '[1', ',2']).bytes.toString()).toBe('{"ü":[1,2')
  expect(bytes.toString()).toBe('{"ü":[1,2')
})
