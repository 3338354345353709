// Arguments of calls: repaired ones, rejected ones, and the list of all problems.
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { toJsonSchema } from '../../../internal/tool/describe.ts'
import { field } from '../../../internal/tool/field.ts'
import { parseArguments } from '../../../internal/tool/parse.ts'

const input = z.object({
  path: field(z.string().check(z.minLength(1)), 'Path', { aliases: ['file'] }),
  limit: field(z._default(z.int().check(z.minimum(1)), 30), 'Limit', { cap: 100 }),
  deep: field(z._default(z.boolean(), false), 'Deep'),
  kind: field(z.optional(z.enum(['text', 'files'])), 'Kind', { synonyms: { content: 'text' } }),
  items: field(
    z.optional(z.array(z.object({ id: z.string(), n: z.optional(z.int()) })).check(z.maxLength(2))),
    'Items',
  ),
})

const good: [string, unknown, Record<string, unknown>, string[]][] = [
  ['defaults', { path: 'a' }, { path: 'a', limit: 30, deep: false }, []],
  ['an alias', { file: 'a' }, { path: 'a', limit: 30, deep: false }, []],
  ['a numeric string', { path: 'a', limit: '7' }, { path: 'a', limit: 7, deep: false }, []],
  ['a boolean string', { path: 'a', deep: 'true' }, { path: 'a', limit: 30, deep: true }, []],
  [
    'a cap',
    { path: 'a', limit: 500 },
    { path: 'a', limit: 100, deep: false },
    ['limit reduced from 500 to 100'],
  ],
  ['a synonym', { path: 'a', kind: 'content' }, { path: 'a', limit: 30, deep: false, kind: 'text' }, []],
  [
    'nested numbers',
    { path: 'a', items: [{ id: 'x', n: '3' }] },
    { path: 'a', limit: 30, deep: false, items: [{ id: 'x', n: 3 }] },
    [],
  ],
  ['null as absent', { path: 'a', limit: null, kind: null }, { path: 'a', limit: 30, deep: false }, []],
  ['a number for a string', { path: 7 }, { path: '7', limit: 30, deep: false }, []],
  ['undefined as absent', { path: 'a', limit: undefined }, { path: 'a', limit: 30, deep: false }, []],
]

const bad: [string, unknown, string[]][] = [
  ['nothing', {}, ['missing required parameter path (Path)']],
  ['no object', [1], ['arguments must be a JSON object']],
  ['null', null, ['arguments must be a JSON object']],
  ['an unknown name', { path: 'a', limt: 3 }, ['unknown parameter limt, did you mean limit? (Limit)']],
  [
    'a far name',
    { path: 'a', zzzzzzzzzz: 3 },
    ['unknown parameter zzzzzzzzzz; known: path, limit, deep, kind, items'],
  ],
  ['both names', { path: 'a', file: 'b' }, ['path is given twice (also as file)']],
  ['a wrong type', { path: true }, ['path must be a string, got a boolean (Path)']],
  ['a fraction', { path: 'a', limit: 1.5 }, ['limit must be an integer, got a number (Limit)']],
  ['too small', { path: 'a', limit: 0 }, ['limit must be at least 1 (Limit)']],
  ['an empty string', { path: '' }, ['path must have at least 1 character (Path)']],
  ['an enum', { path: 'a', kind: 'x' }, ['kind must be one of text, files (Kind)']],
  [
    'too many items',
    { path: 'a', items: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
    ['items must have at most 2 items (Items)'],
  ],
  [
    'a nested unknown',
    { path: 'a', items: [{ id: 'x', mode: 1 }] },
    ['unknown parameter items[0].mode; known: id, n'],
  ],
  ['a nested absence', { path: 'a', items: [{}] }, ['missing required parameter items[0].id (Items)']],
  [
    'several at once',
    { limt: 3, kind: 'x', deep: 1 },
    [
      'unknown parameter limt, did you mean limit? (Limit)',
      'missing required parameter path (Path)',
      'deep must be a boolean, got a number (Deep)',
      'kind must be one of text, files (Kind)',
    ],
  ],
  [
    'a prototype name',
    JSON.parse('{"path":"a","__proto__":{"x":1}}'),
    ['unknown parameter __proto__; known: path, limit, deep, kind, items'],
  ],
]

describe('parse', () => {
  it.each(good)('accepts %s', (_, raw, args, notes) => {
    expect(parseArguments(input, raw)).toEqual({ ok: true, args, notes })
  })

  it.each(bad)('rejects %s', (_, raw, issues) => {
    const parsed = parseArguments(input, raw)
    expect(parsed.ok).toBe(false)
    if (!parsed.ok) expect(parsed.issues.sort()).toEqual([...issues].sort())
  })

  it('accepts a hidden parameter, and describes it nowhere', () => {
    const shared = z.object({
      path: field(z.string(), 'Path'),
      bulk: field(z._default(z.boolean(), false), 'Up to 100 paths', { hidden: true }),
    })
    expect(parseArguments(shared, { path: 'a' })).toMatchObject({ ok: true, args: { bulk: false } })
    expect(parseArguments(shared, { path: 'a', bulk: true })).toMatchObject({
      ok: true,
      args: { bulk: true },
    })
    expect(parseArguments(shared, { path: 'a', bull: true })).toEqual({
      ok: false,
      issues: ['unknown parameter bull; known: path'],
    })
    expect(Object.keys(toJsonSchema(shared).properties as object)).toEqual(['path'])
  })
})
