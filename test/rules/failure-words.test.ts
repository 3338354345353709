// The messages of failures: names of tools and parameters are in backticks, so that an adapter
// can replace them.
import { expect, test } from 'vitest'
import { toJsonSchema } from '../../internal/tool/describe.ts'
import { nativeTools } from '../../internal/tools/index.ts'
import { filesBelow, read } from '../support/sources.ts'

/** Returns the names of two words. A name of one word cannot be distinguished from English. */
async function namesOfTwoWords(): Promise<Set<string>> {
  const tools = await Promise.all(Object.values(nativeTools).map((load) => load()))
  const all = tools.flatMap(({ name, input }) => [
    name,
    ...Object.keys((toJsonSchema(input).properties ?? {}) as object),
  ])
  return new Set(all.filter((name) => name.includes('_')))
}

const said = /\b(?:message|hint)(?::|\s=)\s*((?:[^\n]|\n\s+['`?:+])*)/g
const literal = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g
const name = /(?<![\w`.$/{-])[a-z]+(?:_[a-z0-9]+)+(?![\w`-])/g

const bareNames = (text: string, names: ReadonlySet<string>) =>
  [...text.matchAll(said)]
    .flatMap(([, words = '']) => words.match(literal) ?? [])
    .flatMap((words) =>
      (words.replace(/\\`[^`]*\\`|^`|`$/g, ' ').match(name) ?? []).filter((one) => names.has(one)),
    )

test('names in failures of native tools are in backticks', async () => {
  const names = await namesOfTwoWords()
  expect(names.has('old_str')).toBe(true)
  expect(bareNames("{ hint: 'Give old_str or `new_str`.' }", names)).toEqual(['old_str'])
  const files = [...filesBelow('internal/tools', '.ts'), ...filesBelow('internal/tool-support', '.ts')]
  const wrong = files.flatMap((file) => bareNames(read(file), names).map((one) => `${file} ${one}`))
  expect(wrong).toEqual([])
})
