// Sensitive names as options and as a question.
import { expect, test } from 'vitest'
import { guardArgs, isGuarded } from '../../../internal/search/guarded.ts'

test('the same names both ways', () => {
  expect(guardArgs).toContain('--glob=!.env*')
  for (const name of ['.env', 'a/.ENV.local', '.ssh/known_hosts', 'x/ID_RSA', 'a.pem']) {
    expect(isGuarded(name), name).toBe(true)
  }
  expect(isGuarded('src/environment.ts')).toBe(false)
})
