// Patterns that begin outside of the folder they are given with.
import { expect, test } from 'vitest'
import { rebaseGlob } from '../../../../internal/search/glob/glob-base.ts'

test.each([
  ['**/*.go', '.', '.', '**/*.go'],
  ['src/**', 'a', 'a', 'src/**'],
  ['/w/src/**/*.ts', '.', '/w/src', '**/*.ts'],
  ['/w/src/a.ts', 'x', '/w/src', 'a.ts'],
  ['/*', '.', '/', '*'],
  ['../b/*.ts', 'a', 'a/../b', '*.ts'],
  ['../../*', 'a', 'a/../..', '*'],
  ['a/../*', '.', 'a/..', '*'],
  ['*/../b', '.', '.', '*/../b'],
])('%s in %s', (pattern, path, newPath, rest) => {
  expect(rebaseGlob(pattern, path)).toEqual({ path: newPath, pattern: rest })
})
