// Reading the tags of universal-ctags, and doing without.
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { SearchMeans } from '../../../../internal/search/ripgrep/ripgrep.ts'
import { runCtags } from '../../../../internal/search/symbols/ctags.ts'
import { means, plant } from '../../../support/search.ts'

const installed = /Universal Ctags/.test(spawnSync('ctags', ['--version']).stdout?.toString() ?? '')
const dir = plant({
  'a.py': 'class Reader:\n    def read_all(self):\n        pass\n',
  '-b.py': 'def read():\n    pass\n',
  '.ctags.d/evil.ctags': '--nonsense\n',
})

test('ctags lists the tags whose names contain the word, ignoring case', async () => {
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

test('does not run without files, without a runner, or with a line end in a file name', async () => {
  expect(await runCtags([], dir, 'x', means())).toBeUndefined()
  expect(await runCtags(['a.py'], dir, 'x', { ...means(), run: undefined })).toBeUndefined()
  expect(await runCtags(['we\nird.py'], dir, 'x', means())).toBeUndefined()
})

const tag = '{"_type": "tag", "name": "read", "path": "./a.py", "line": 7, "kind": "function"}'

/** Returns real processes in place of ctags. Each run executes the next script. */
function scripted(scripts: readonly string[]): { means: SearchMeans; runs: string[] } {
  const { run, ...rest } = means()
  const runs: string[] = []
  const start: SearchMeans['run'] = (command) => {
    runs.push(command.file)
    const script = scripts[runs.length - 1] ?? 'exit 127'
    return (run as NonNullable<typeof run>)({ ...command, file: '/bin/sh', args: ['-c', script] })
  }
  return { means: { ...rest, run: start }, runs }
}

const signals = ['KILL', 'TERM', 'SEGV', 'BUS']
const beginnings = ['', 'cat >/dev/null; ', `echo '${tag}'; `, `printf '%s' '${tag.slice(0, 30)}'; `]

test.each(signals.flatMap((signal) => beginnings.map((beginning) => [signal, beginning])))(
  'restarts ctags once if it dies by %s after %j',
  async (signal, beginning) => {
    const dies = `${beginning}kill -${signal} $$; sleep 20`
    const once = scripted([dies, `cat >/dev/null; echo '${tag}'`])
    const found = await runCtags(['a.py'], dir, 'read', once.means)
    expect(found?.map(({ name, line }) => [name, line])).toEqual([['read', 7]])
    expect(once.runs).toEqual(['ctags', 'ctags'])
    // a program that keeps dying is not an answer: the caller searches without it
    const always = scripted([dies, dies, dies, dies])
    expect(await runCtags(['a.py'], dir, 'read', always.means)).toBeUndefined()
    expect(always.runs).toEqual(['ctags', 'ctags', 'universal-ctags', 'universal-ctags'])
  },
)

test('ctags that fails by itself is not started again', async () => {
  const failing = scripted(['exit 1', 'exit 1'])
  expect(await runCtags(['a.py'], dir, 'read', failing.means)).toBeUndefined()
  expect(failing.runs).toEqual(['ctags', 'universal-ctags'])
})
