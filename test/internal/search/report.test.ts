// Remarks, counts and refusals.
import { expect, test } from 'vitest'
import { closing, count, cutShort, grouped, readGlob, remarks } from '../../../internal/search/report.ts'

test('remarks only about what happened', () => {
  expect(remarks({ skipped: 0, unreadable: 0 })).toEqual([])
  const [secret, unreadable] = remarks({ skipped: 1, unreadable: 2 })
  expect(secret).toContain('1 file or folder with')
  expect(unreadable).toBe('2 files could not be read')
  expect(closing(['a', 'b'])).toBe('[a]\n[b]')
})

test('failures', () => {
  expect(cutShort(undefined)).toBeUndefined()
  expect(cutShort('timeout')).toMatchObject({ code: 'timeout' })
  expect(cutShort('cancelled')).toMatchObject({ code: 'cancelled' })
  expect(readGlob('glob', '[a', true)).toMatchObject({
    code: 'bad_args',
    message: expect.stringContaining('"[a"'),
  })
  expect(readGlob('glob', '*.ts', true)).toHaveProperty('test')
})

test('counts', () => {
  expect([count(1, 'file', 'files'), count(1_234, 'file', 'files')]).toEqual(['1 file', '1,234 files'])
  expect([0, 999, 1_000, 1_234_567].map(grouped)).toEqual(['0', '999', '1,000', '1,234,567'])
})
