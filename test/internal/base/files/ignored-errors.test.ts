// Errors that are nothing, by their codes, and all others.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { ignoreCodes } from '../../../../internal/base/files/ignored-errors.ts'

it('ignores errors with a listed code, and throws all others', async () => {
  const read = (path: string) => readFile(path).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  expect(await read('/nowhere/at/all')).toBeUndefined()
  expect(await read('/dev/null/below')).toBeUndefined()
  await expect(read('/')).rejects.toThrow(/EISDIR/)
  expect(() => ignoreCodes()(new Error('without a code'))).toThrow('without a code')
})
