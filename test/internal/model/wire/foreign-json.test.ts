// Names and arguments of calls as endpoints send them.
import { expect, it } from 'vitest'
import { argumentText, nameOf } from '../../../../internal/model/wire/foreign-json.ts'

it('takes numbers for names, and nothing else', () => {
  expect(['a', 7, 0, null, {}, ['a'], undefined].map(nameOf)).toEqual(['a', '7', '0', '', '', '', ''])
})

it('takes arguments as text or as the object itself', () => {
  expect(['{"a":1}', { a: 1 }, [1], 7, null, undefined].map(argumentText)).toEqual([
    '{"a":1}',
    '{"a":1}',
    '[1]',
    '',
    '',
    '',
  ])
})
