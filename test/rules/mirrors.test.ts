// Every source file has its mirror in test/, or a line of `mirrors` that says which test covers it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reachedFrom } from '../support/import-graph.ts'
import { filesBelow, read, root, sources } from '../support/sources.ts'
import { mirrors } from './mirrors.ts'

/** Folders that are tested as a whole, each with the reason. */
const wholes: Readonly<Record<string, string>> = {
  'cmd/': 'commands are tested by the built program (test/cmd)',
}

const files = sources().filter((file) => !Object.keys(wholes).some((folder) => file.startsWith(folder)))
const sourceOf = (key: string) => `internal/${key}.ts`
const hasMirror = (file: string) => existsSync(join(root, 'test', file.replace(/\.ts$/, '.test.ts')))

/** Whether the file has only types, imports of types and exports of types, and no statement that runs. */
function holdsTypesAlone(file: string): boolean {
  const starts = read(file).match(/^[a-z]+(?: [a-z]+)?/gm) ?? []
  return starts.every((start) => /^(?:import|(?:export )?(?:interface|type)\b)/.test(start))
}

/** Returns the test and the reason of a line of the table. */
function coveringTest(line: string): { test: string; why: string } {
  const [, name = '', why = ''] = /^([\w/-]+): (.{10,})$/.exec(line) ?? []
  const near = `test/internal/${name}.test.ts`
  return { test: existsSync(join(root, near)) ? near : `test/${name}.test.ts`, why }
}

test('every source file with behavior has its mirror or a line of the table', () => {
  const bare = files.filter((file) => !hasMirror(file) && !holdsTypesAlone(file))
  const keys = bare.map((file) => file.replace(/^internal\/|\.ts$/g, '')).sort()
  expect(keys).toEqual(Object.keys(mirrors).sort())
})

test('every line of the table names a test that reaches its source', () => {
  const all = new Set([...sources(), ...filesBelow('test', '.ts')])
  // who starts the built program runs what it was built of
  const program = (file: string) =>
    file.startsWith('test/') && read(file).includes('anode.cjs') ? ['cmd/anode/main.ts'] : []
  const reached = new Map<string, ReadonlySet<string>>()
  const wrong = Object.entries(mirrors).filter(([key, line]) => {
    const { test, why } = coveringTest(line)
    if (why === '' || !all.has(test)) return true
    if (!reached.has(test))
      reached.set(
        test,
        reachedFrom(test, (file) => all.has(file), program),
      )
    return reached.get(test)?.has(sourceOf(key)) !== true
  })
  expect(wrong).toEqual([])
})
