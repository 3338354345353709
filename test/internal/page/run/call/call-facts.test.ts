// What a call made of files.
import { expect, it } from 'vitest'
import { readCallDiffs } from '../../../../../internal/page/run/call/call-facts.ts'

it('shows what was made of files, and nothing of trials, failures and odd data', () => {
  const block = (ok: boolean, data: unknown, args?: unknown) =>
    ({ args, result: { call: 'c', tool: 't', ok, text: '', data } }) as Parameters<typeof readCallDiffs>[0]
  const diff = { path: 'a', what: 'changed', hunks: '@@ -1 +1 @@\n-a\n+b\n' }
  expect(readCallDiffs(block(true, { diffs: [diff, { path: 1 }] }))).toEqual([diff])
  expect(readCallDiffs(block(true, { path: 'a', diff: '--- a\n+++ a\n@@ -1 +1 @@' }))).toEqual([
    { path: 'a', what: 'changed', hunks: '@@ -1 +1 @@' },
  ])
  expect(readCallDiffs(block(true, { path: 'a', action: 'created' }, { content: 'x\ny\n' }))).toEqual([
    { path: 'a', what: 'created', hunks: '+x\n+y\n' },
  ])
  for (const odd of [null, 'x', [], { diffs: 'x' }, { dry_run: true, diffs: [diff] }])
    expect(readCallDiffs(block(true, odd))).toEqual([])
  expect(readCallDiffs(block(false, { diffs: [diff] }))).toEqual([])
})
