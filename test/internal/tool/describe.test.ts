// Parameters that are accepted but not offered: out of requests, in `tools show`, and taken in calls.
import { expect, test } from 'vitest'
import { describeNatives } from '../../../internal/runtime/tools/tool-registry.ts'
import { toOfferedAbout, toOfferedSchema } from '../../../internal/tool/describe.ts'
import { parseArguments } from '../../../internal/tool/parse.ts'
import type { Tool } from '../../../internal/tool/tool.ts'
import { nativeTools } from '../../../internal/tools/index.ts'

type Json = Record<string, unknown>
type Place = [path: string, schema: Json, marks: string[]]

const natives = await describeNatives()
const names = new Set(natives.map(({ name }) => name))

/** Returns every parameter with its position, its schema and the marks on the way to it. */
function places(schema: Json, path: string[] = [], marks: string[] = []): Place[] {
  const { properties = {}, items } = schema as { properties?: Record<string, Json>; items?: Json }
  const own = Object.entries(properties).flatMap(([name, one]): Place[] => {
    const below = [...marks, ...('x-offer' in one ? [String(one['x-offer'])] : [])]
    return [[[...path, name].join('.'), one, below], ...places(one, [...path, name], below)]
  })
  return [...own, ...(items ? places(items, [...path, '[]'], marks) : [])]
}

const paths = (schema: Json) => places(schema).map(([path]) => path)

test.each(natives)('$name is offered what it can use, without our marks', ({ schema }) => {
  for (const engine of [undefined, 'exa', 'searxng']) {
    const offered = toOfferedSchema(schema, { names, ...(engine && { engine: () => engine }) })
    const expected = places(schema).filter(([, , marks]) => marks.every((mark) => mark === engine))
    expect(paths(offered)).toEqual(expected.map(([path]) => path))
    expect(JSON.stringify(offered)).not.toContain('"x-')
  }
})

test.each([
  ['read', ['read_range', 'max_bytes']],
  ['multi_read', ['read_range', 'max_bytes']],
  ['todo_write', ['todos.[].id']],
  ['web_search', ['category', 'start_published_date', 'end_published_date']],
  ['lsp', ['line', 'character']],
  ['send_message', ['from', 'metadata', 'dedupe_key', 'expires_s', 'scope']],
  ['receive_messages', ['scope']],
])('%s lists %j and offers none of them', (name, hidden) => {
  const { schema = {} } = natives.find((one) => one.name === name) ?? {}
  expect(paths(schema)).toEqual(expect.arrayContaining(hidden))
  const offered = toOfferedSchema(schema, { names })
  expect(paths(offered).filter((path) => hidden.includes(path))).toEqual([])
})

test('every parameter that is not offered is accepted', async () => {
  const samples: Json = { integer: 5, string: '2020-01-02', boolean: true, object: {}, array: [1] }
  for (const load of Object.values(nativeTools) as (() => Promise<Tool>)[]) {
    const { name, input, example } = await load()
    const { schema = {} } = natives.find((one) => one.name === name) ?? {}
    for (const [path, one, marks] of places(schema)) {
      if (marks.length === 0 || path.includes('.')) continue
      const value = (one.enum as unknown[] | undefined)?.[0] ?? samples[String(one.type)]
      expect([name, path, parseArguments(input, { ...example, [path]: value }).ok]).toEqual([
        name,
        path,
        true,
      ])
    }
  }
})

test('parameters that need another tool are offered with it only', () => {
  const bash = natives.find(({ name }) => name === 'bash')?.schema ?? {}
  expect(paths(toOfferedSchema(bash, { names: new Set(['bash']) }))).not.toContain('background')
  expect(paths(toOfferedSchema(bash, { names: new Set(['bash', 'jobs']) }))).toContain('background')
})

test('target of look_at is offered only where targets are configured', () => {
  const { schema = {} } = natives.find(({ name }) => name === 'look_at') ?? {}
  expect(paths(toOfferedSchema(schema, { names }))).toEqual(['path', 'question'])
  expect(paths(toOfferedSchema(schema, { names, hasTargets: true }))).toEqual(['target', 'path', 'question'])
})

test.each(natives.filter(({ mentions }) => mentions))('$name without the tools that it refers to', (one) => {
  const { name, about, mentions = [] } = one
  expect(toOfferedAbout(about, mentions, names)).toBe(about)
  const alone = toOfferedAbout(about, mentions, new Set([name]))
  for (const other of mentions) {
    expect(about).toContain(other)
    expect(alone).not.toContain(other)
  }
  expect(alone).toContain(about.split('\n', 1)[0])
  expect(alone).toBe(alone.trim())
})
