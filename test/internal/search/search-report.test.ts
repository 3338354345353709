// Remarks, counts and refusals.

import { expect, test } from 'vitest'
import {
  formatRemarks,
  listRemarks,
  readGlob,
  searchFailure,
} from '../../../internal/search/search-report.ts'

test('lists a note only for secret and unreadable files that were skipped', () => {
  expect(listRemarks({ skipped: 0, unreadable: 0 })).toEqual([])
  const [secret, unreadable] = listRemarks({ skipped: 1, unreadable: 2 })
  expect(secret).toContain('1 file or folder with')
  expect(unreadable).toBe('2 files could not be read')
  expect(formatRemarks(['a', 'b'])).toBe('[a]\n[b]')
})

test('a timeout, a cancel and an invalid pattern each have an error code', () => {
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
