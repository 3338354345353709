// Size, first line, mirror in test/ and habits of every source file.
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, read, root, sources } from '../support/sources.ts'

/** Files over 300 lines, each with its reason. */
const large: Record<string, string> = {}

/** Files without behaviour of their own, or tested as a whole by the built program (test/cmd). */
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

  it('have a mirror in test/', () => {
    const behaves = (file: string) =>
      /^export (async )?(function|const \w+ = (async )?\(|class)/m.test(read(file))
    const bare = files.filter(
      (file) =>
        behaves(file) &&
        !withoutMirror.some((pattern) => pattern.test(file)) &&
        !existsSync(join(root, 'test', file.replace(/\.ts$/, '.test.ts'))),
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

  it('hold nothing unfinished', () => {
    const smells =
      /\b(TODO|FIXME|XXX)\b|not implemented|: any\b|as any\b|@ts-ignore|catch *(\([^)]*\))? *\{ *\}/
    const found = files.filter((file) => smells.test(read(file)))
    expect(found).toEqual([])
  })
})

describe('tests', () => {
  it('none is skipped or alone', () => {
    const bad = filesBelow('test', '.test.ts').filter((file) =>
      /\b(it|test|describe)\.(only|skip)\(/.test(read(file)),
    )
    expect(bad).toEqual([])
  })
})
