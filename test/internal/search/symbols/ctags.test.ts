// Reading the tags of universal-ctags, and doing without.
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runCtags } from '../../../../internal/search/symbols/ctags.ts'
import { means, plant } from '../../../support/search.ts'

const installed = /Universal Ctags/.test(spawnSync('ctags', ['--version']).stdout?.toString() ?? '')
const dir = plant({
  'a.py': 'class Reader:\n    def read_all(self):\n        pass\n',
  '-b.py': 'def read():\n    pass\n',
  '.ctags.d/evil.ctags': '--nonsense\n',
})

test('tags whose name holds the word', async () => {
  const tags = await runCtags(['a.py', '-b.py'], dir, 'READ', means())
  if (!installed) expect(tags).toBeUndefined()
  else {
    expect(tags?.map(({ name, file, line, scope }) => [name, file, line, scope])).toEqual([
      ['Reader', 'a.py', 1, undefined],
      ['read_all', 'a.py', 2, 'Reader'],
      ['read', '-b.py', 1, undefined],
    ])
  }
})

test('no files, no runner, names that cannot be listed', async () => {
  expect(await runCtags([], dir, 'x', means())).toBeUndefined()
  expect(await runCtags(['a.py'], dir, 'x', { ...means(), run: undefined })).toBeUndefined()
  expect(await runCtags(['we\nird.py'], dir, 'x', means())).toBeUndefined()
})
