// Names of sources as a user writes them.
import { expect, test } from 'vitest'
import { parseSourceNames } from '../../../../internal/service/study/request.ts'

test.each([
  ['repo', ['repo']],
  [' mcp , repo,repo', ['repo', 'mcp']],
])('%s', (text, sources) => {
  expect(parseSourceNames(text)).toEqual(sources)
})

test.each([
  ['repo,', ''],
  ['repos', 'repos'],
])('%s is rejected by name', (text, name) => {
  expect(() => parseSourceNames(text)).toThrow(`--sources: unknown source "${name}"`)
})
