// Commits that a study wants: only a commit's id and a directory below its top are accepted.
import { expect, test } from 'vitest'
import { isWantedCommit } from '../../../../internal/service/study/commit-checkout.ts'

const sha = 'a'.repeat(40)

test.each([
  ['', true],
  ['doc/', true],
  ['doc/deep/', true],
  ['.github/', true],
  ['doc', false],
  ['/etc/', false],
  ['../', false],
  ['doc/../../', false],
  ['doc//', false],
  ['./', false],
  ['.git/', false],
  ['doc/.GIT/', false],
  ['a\\b/', false],
  ['a\0/', false],
])('the directory %j: %s', (prefix, expected) => {
  expect(isWantedCommit({ commit: sha, prefix })).toBe(expected)
})

test.each([
  ['a'.repeat(64), true],
  ['HEAD', false],
  ['--upload-pack=x', false],
  ['A'.repeat(40), false],
  ['a'.repeat(39), false],
  [`${sha} `, false],
  [`${sha}\n`, false],
  [5, false],
])('the commit %j: %s', (commit, expected) => {
  expect(isWantedCommit({ commit, prefix: '' })).toBe(expected)
})

test.each([undefined, null, 'x', {}, { commit: sha }])('%j is not a commit', (value) => {
  expect(isWantedCommit(value)).toBe(false)
})
