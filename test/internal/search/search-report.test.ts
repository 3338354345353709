// Remarks, counts and refusals.

import { expect, test } from 'vitest'
import { groupDigits } from '../../../internal/base/text/group-digits.ts'
import {
  countNoun,
  formatRemarks,
  listRemarks,
  readGlob,
  searchFailure,
} from '../../../internal/search/search-report.ts'

test('remarks only about what happened', () => {
  expect(listRemarks({ skipped: 0, unreadable: 0 })).toEqual([])
  const [secret, unreadable] = listRemarks({ skipped: 1, unreadable: 2 })
  expect(secret).toContain('1 file or folder with')
  expect(unreadable).toBe('2 files could not be read')
  expect(formatRemarks(['a', 'b'])).toBe('[a]\n[b]')
})

test('failures', () => {
  expect(searchFailure(undefined)).toBeUndefined()
  expect(searchFailure('timeout')).toMatchObject({ code: 'timeout' })
  expect(searchFailure('cancelled')).toMatchObject({ code: 'cancelled' })
  expect(() => readGlob('glob', '[a', true)).toThrow(
    expect.objectContaining({
      failure: { code: 'bad_args', message: expect.stringContaining('"[a"') },
    }),
  )
  expect(readGlob('glob', '*.ts', true)).toHaveProperty('test')
})

test('counts', () => {
  expect([countNoun(1, 'file', 'files'), countNoun(1_234, 'file', 'files')]).toEqual([
    '1 file',
    '1,234 files',
  ])
  expect([0, 999, 1_000, 1_234_567].map(groupDigits)).toEqual(['0', '999', '1,000', '1,234,567'])
})
