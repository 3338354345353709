// Size, first line, directory and habits of every source file.
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, read, sources } from '../support/sources.ts'

const maxLines = 300
const maxColumns = 110
const maxFolderFiles = 30

/** Files over the limit of lines, each with its reason. */
const large: Readonly<Record<string, string>> = {}

/** Directories over the limit of files, each with its reason. */
const crowded: Readonly<Record<string, string>> = {}

describe('source files', () => {
  const files = sources()

  it(`have ${maxLines} lines at most, or a reason`, () => {
    // the text after the last line break does not count as a line
    const over = files.filter((file) => read(file).split('\n').length > maxLines + 1)
    expect(over).toEqual(Object.keys(large))
  })

  it(`have ${maxColumns} columns at most`, () => {
    const wide = files.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, i) => ([...line].length > maxColumns ? [`${file}:${i + 1}`] : [])),
    )
    expect(wide).toEqual([])
  })

  it(`stand in folders of ${maxFolderFiles} at most`, () => {
    const sizes = new Map<string, number>()
    for (const file of files) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1)
    const over = [...sizes].filter(([, size]) => size > maxFolderFiles).map(([folder]) => folder)
    expect(over).toEqual(Object.keys(crowded))
  })

  it('define the file in their first line', () => {
    const mute = files.filter((file) => !/^\/\/ \S.{15,}/.test(read(file)))
    expect(mute).toEqual([])
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

  it('contain nothing unfinished', () => {
    const smells = /\/\/.*\b(TODO|FIXME|XXX)\b|not implemented|@ts-ignore/
    const found = files.filter((file) => smells.test(read(file)))
    expect(found).toEqual([])
  })
})

describe('tests', () => {
  it('none is skipped or exclusive', () => {
    const bad = filesBelow('test', '.test.ts').filter((file) =>
      /^\s*(it|test|describe)\.(only|skip)\(/m.test(read(file)),
    )
    expect(bad).toEqual([])
  })
})
