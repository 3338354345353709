// The error for an invalid patch.
import { expect, it } from 'vitest'
import { badPatch } from '../../../internal/patch/patch.ts'

it('the failure contains the line and the hint', () => {
  expect(badPatch('nonsense', 3, 'fix it').failure).toEqual({
    code: 'bad_patch',
    message: 'line 3 of the patch: nonsense',
    hint: 'fix it',
    detail: { line: 3 },
  })
  expect(badPatch('empty').failure).toEqual({ code: 'bad_patch', message: 'the patch cannot be read: empty' })
})
