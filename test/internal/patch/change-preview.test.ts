// The preview of a file change for a user: hunks without the names, and the counts.
import { expect, it } from 'vitest'
import { previewChange } from '../../../internal/patch/change-preview.ts'

it('shows a new, a changed and a removed file in hunks, every line with its sign', async () => {
  expect(await previewChange('a.txt', 'created', null, 'one\n two \n')).toEqual({
    path: 'a.txt',
    what: 'created',
    hunks: '@@ -0,0 +1,2 @@\n+one\n+ two \n',
    added: 2,
    removed: 0,
  })
  expect((await previewChange('a.txt', 'changed', 'one\n\ttwo', 'one\n  two')).hunks).toBe(
    '@@ -1,2 +1,2 @@\n one\n-\ttwo\n\\ No newline at end of file\n+  two\n\\ No newline at end of file\n',
  )
  expect((await previewChange('a.txt', 'removed', '--- x\n+++ y\n', null)).hunks).toBe(
    '@@ -1,2 +0,0 @@\n---- x\n-+++ y\n',
  )
})

it('shows nothing for an unchanged file', async () => {
  expect(await previewChange('a', 'made executable', 'x\n', 'x\n')).toMatchObject({ hunks: '', added: 0 })
})
