// Size, first line, mirror in test/ and habits of every source file.
import { existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, read, root, sources } from '../support/sources.ts'

/** Files over 300 lines, each with its reason. */
const large: Record<string, string> = {
  'internal/policy/shell/syntax/tree-reader.ts': 'one walk over the grammar: a case per kind of node',
}

/** Tested as a whole by the built program (test/cmd). */
const withoutMirror = [/^cmd\//, /internal\/tools\/index\.ts$/]

describe('source files', () => {
  const files = sources()

  it('stay under 300 lines', () => {
    const over = files.filter((file) => read(file).split('\n').length > 301 && !(file in large))
    expect(over).toEqual([])
  })

  it('say in their first line what they own', () => {
    const mute = files.filter((file) => !/^\/\/ \S.{15,}/.test(read(file)))
    expect(mute).toEqual([])
  })

  it('are each reached by a test of their folder', () => {
    const behaves = (file: string) =>
      /^export (async )?(function|const \w+ = (async )?\(|class)/m.test(read(file))
    const reached = new Set<string>()
    const reach = (file: string) => {
      if (reached.has(file) || !existsSync(join(root, file))) return
      reached.add(file)
      const near = imported(file).filter((target) => dirname(target).startsWith(folderOf(file)))
      for (const target of near) reach(target)
    }
    for (const test of filesBelow('test', '.ts')) for (const target of imported(test)) reach(target)
    const bare = files.filter(
      (file) => behaves(file) && !withoutMirror.some((pattern) => pattern.test(file)) && !reached.has(file),
    )
    expect(bare).toEqual([])
  })

  it('are named in kebab-case, tools in snake_case', () => {
    const odd = files.filter((file) =>
      file.startsWith('internal/tools/')
        ? !/^[a-z_]+\.ts$/.test(basename(file))
        : !/^[a-z0-9-]+\.ts$/.test(basename(file)),
    )
    expect(odd).toEqual([])
  })

  it('take time limits from base, where they outlive a collection', () => {
    const found = files.filter((file) => /AbortSignal\.timeout\(/.test(read(file)))
    expect(found).toEqual([])
  })

  it('hold nothing unfinished', () => {
    const smells = /\/\/.*\b(TODO|FIXME|XXX)\b|not implemented|@ts-ignore/
    const found = files.filter((file) => smells.test(read(file)))
    expect(found).toEqual([])
  })
})

describe('tests', () => {
  it('none is skipped or alone', () => {
    const bad = filesBelow('test', '.test.ts').filter((file) =>
      /^\s*(it|test|describe)\.(only|skip)\(/m.test(read(file)),
    )
    expect(bad).toEqual([])
  })
})

/** Files that a file imports, lazily or not, relative to the root. */
function imported(file: string): string[] {
  return [...read(file).matchAll(/(?:from\s+|import\s*\(\s*|import\s+)'(\.{1,2}\/[^']+\.ts)'/g)].map(
    (match) => relative(root, join(root, dirname(file), match[1] as string)),
  )
}

const folderOf = (file: string) => file.split('/').slice(0, 2).join('/')
