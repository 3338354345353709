// The position at which a client resumes a stream of events.
import { expect, test } from 'vitest'
import { readPosition } from '../../../../internal/server/http/event-stream.ts'

const positionOf = (header: string | undefined, query = '') =>
  readPosition({ header: () => header, query: new URLSearchParams(query) })

test('the header takes precedence over the URL, and the default is the beginning', () => {
  expect(positionOf('12', 'after=3')).toBe(12)
  expect(positionOf(undefined, 'after=3')).toBe(3)
  expect(positionOf(undefined)).toBe(0)
})

test.each(['-1', '1e9', '0x10', ' 3', '3 4', 'abc', '99999999999999999999', '1.0'])(
  'rejects %j as a position',
  (text) => {
    expect(() => positionOf(text)).toThrow('invalid position')
  },
)
