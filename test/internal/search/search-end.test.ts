// A search whose program died: it never counts as complete, with any engine and any kind of end.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles } from '../../../internal/search/file-list.ts'
import { findFiles, findSymbols, findText } from '../../../internal/search/finder.ts'
import { searchWithGrep } from '../../../internal/search/grep.ts'
import { rankText } from '../../../internal/search/relevance.ts'
import { ripgrepPrograms } from '../../../internal/search/ripgrep/ripgrep.ts'
import { searchEnd } from '../../../internal/search/search-end.ts'
import { searchFailure } from '../../../internal/search/search-report.ts'
import type { PrefixedTree } from '../../../internal/search/search-tree.ts'
import { searchText } from '../../../internal/search/text-search.ts'
import { run } from '../../support/run.ts'
import { means, plant } from '../../support/search.ts'

const wanted = {
  patterns: ['needle'],
  regex: false,
  caseSensitive: true,
  word: false,
  max: 50,
  context: 0,
  room: 1 << 20,
}

/** Creates a copy of the real program that ends as `end` says instead of with its exit code. */
function dying(real: string, name: string, end: string): string {
  const dir = plant()
  const file = join(dir, name)
  writeFileSync(file, `#!/bin/sh\n${real} "$@"\n${end}\n`)
  chmodSync(file, 0o755)
  return file
}

function forest(): PrefixedTree {
  const dir = plant({ 'a.ts': 'const needle = 1\n', 'b.ts': 'other\n' })
  return { dir, top: dir, hidden: false, guarded: true, prefix: '' }
}

const deaths = [
  ...['KILL', 'TERM', 'SEGV', 'ABRT', 'HUP', 'INT', 'PIPE', 'XCPU'].map((name) => `kill -s ${name} $$`),
  ...[2, 3, 42, 101, 134, 137, 139, 143, 255].map((code) => `exit ${code}`),
]
const [rg = 'rg'] = ripgrepPrograms()

test.each(deaths)('ripgrep that ends with `%s`', async (end) => {
  const tree = forest()
  const how = means({ programs: [dying(rg, 'rg', end)] })
  expect((await searchText(tree, wanted, how)).ended).toBe('broken')
  expect((await listFiles(tree, how, () => undefined)).ended).toBe('broken')
  const ranked = await rankText(tree, { terms: ['needle'], caseSensitive: true, limit: 5 }, how)
  expect(ranked.found.ended).toBe('broken')
  const search = { tree, query: 'needle', limit: 5, caseSensitive: false, means: how }
  for (const find of [findFiles, findText, findSymbols]) {
    const { ended, results } = await find(search)
    expect([find.name, ended]).toEqual([find.name, 'broken'])
    expect(results.length).toBeLessThanOrEqual(1)
  }
})

test.each(deaths)('grep that ends with `%s`', async (end) => {
  const tree = forest()
  const bin = join(dying('/usr/bin/env -i /bin/grep', 'grep', end), '..')
  const how = means({
    programs: [],
    run: (command) => run({ ...command, file: command.file === 'grep' ? join(bin, 'grep') : command.file }),
  })
  expect((await searchWithGrep(tree, wanted, how)).ended).toBe('broken')
})

test('marks the ranking as incomplete if a second pass dies', async () => {
  const dir = plant()
  const once = join(dir, 'once')
  const file = dying(rg, 'rg', `[ -e '${once}' ] && kill -9 $$; touch '${once}'; exit 0`)
  const ranked = await rankText(
    forest(),
    { terms: ['needle'], caseSensitive: true, limit: 5 },
    means({ programs: [file] }),
  )
  expect(ranked.found.ended).toBe('broken')
})

test('marks the output as incomplete if another process still has it open after the end', async () => {
  const file = dying(rg, 'rg', 'sleep 3 & exit 0')
  const found = await searchText(forest(), wanted, means({ programs: [file] }))
  expect(found.ended).toBe('broken')
})

test('marks the output as complete if the program ended normally', async () => {
  const dir = plant({ 'a.ts': 'needle', 'secret.pem': 'needle', '.env': 'needle' })
  mkdirSync(join(dir, 'empty'))
  for (const guarded of [true, false]) {
    for (const pattern of ['needle', 'nothing has this']) {
      const tree = { dir, top: dir, hidden: false, guarded }
      const want = { ...wanted, patterns: [pattern] }
      expect((await searchText(tree, want, means())).ended).toBeUndefined()
      expect((await searchWithGrep(tree, want, means())).ended).toBeUndefined()
    }
  }
})

test('has a text for every end', () => {
  const whole = { ended: undefined, exit: 0, torn: false } as const
  expect(searchFailure(searchEnd(whole, [0, 1]))).toBeUndefined()
  expect(searchFailure(searchEnd({ ...whole, exit: 1 }, [0, 1]))).toBeUndefined()
  expect(searchFailure(searchEnd({ ...whole, exit: null }, [0, 1]))).toMatchObject({ code: 'command_failed' })
  expect(searchFailure(searchEnd({ ...whole, torn: true }, [0, 1]))).toMatchObject({ code: 'command_failed' })
  expect(searchFailure(searchEnd({ ...whole, ended: 'timeout' }, [0]))).toMatchObject({ code: 'timeout' })
  expect(searchFailure(searchEnd({ ...whole, ended: 'cancelled' }, [0]))).toMatchObject({ code: 'cancelled' })
})

test('repeats a search for symbols whose program dies once', async () => {
  const dir = plant()
  const once = join(dir, 'once')
  const file = dying(rg, 'rg', `[ -e '${once}' ] || { touch '${once}'; kill -9 $$; }; exit 0`)
  const how = means({ programs: [file] })
  const { ended, results } = await findSymbols({
    ...{ tree: forest(), query: 'needle', limit: 5, caseSensitive: false, means: how },
  })
  expect([ended, results.length]).toEqual([undefined, 1])
})
