// Arguments that programs and servers describe: every accepted way to describe them, and rejected ones.
import { expect, test } from 'vitest'
import { toJsonSchema } from '../../../internal/tool/describe.ts'
import { parseArguments } from '../../../internal/tool/parse.ts'
import { parseToolSchema } from '../../../internal/tool-support/tool-schema.ts'

const shaped: readonly [string, unknown, Record<string, unknown>, string[], Record<string, unknown>][] = [
  ['nothing', undefined, {}, [], {}],
  ['null', null, {}, [], {}],
  ['an empty schema', { type: 'object' }, {}, [], {}],
  ['a word', { dir: 'string' }, { dir: { type: 'string' } }, ['dir'], { dir: 'text' }],
  [
    'a pair',
    { dir: ['string', 'Where\u001b[31m to look'] },
    { dir: { type: 'string', description: 'Where[31m to look' } },
    ['dir'],
    { dir: 'text' },
  ],
  ['an optional word', { n: 'integer?' }, { n: { type: 'integer' } }, [], {}],
  [
    'a list',
    { names: ['string[]', 'x'] },
    { names: { type: 'array', items: { type: 'string' }, description: 'x' } },
    ['names'],
    { names: ['text'] },
  ],
  [
    'an argument called type',
    { type: 'string', size: { type: 'number', default: 2 } },
    { type: { type: 'string' }, size: { type: 'number', default: 2 } },
    ['type'],
    { type: 'text' },
  ],
  [
    'a schema',
    {
      type: 'object',
      properties: {
        mode: { type: 'string', enum: ['fast', 'slow'], description: 'How' },
        n: { type: 'integer', minimum: 3, maximum: 9 },
        maybe: { type: ['boolean', 'null'] },
        where: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
        free: { type: 'object' },
      },
      required: ['mode', 'n', 'where'],
    },
    {
      mode: { type: 'string', enum: ['fast', 'slow'], description: 'How' },
      n: { type: 'integer', minimum: 3, maximum: 9 },
      maybe: { type: 'boolean' },
      where: { type: 'object' },
      free: { type: 'object' },
    },
    ['mode', 'n', 'where'],
    { mode: 'fast', n: 3, where: { x: 1 } },
  ],
  ['a union', { type: 'object', properties: { u: { anyOf: [{ type: 'string' }] } } }, { u: {} }, [], {}],
]

test.each(shaped)('%s', (_, raw, properties, required, example) => {
  const made = parseToolSchema(raw)
  const schema = toJsonSchema(made.input)
  expect(schema.properties).toMatchObject(properties)
  expect(Object.keys(schema.properties ?? {})).toEqual(Object.keys(properties))
  expect(schema.required ?? []).toEqual(required)
  expect(made.example).toEqual(example)
  expect(parseArguments(made.input, made.example)).toMatchObject({ ok: true })
})

test.each([
  ['a list', []],
  ['a text', 'string'],
  ['a type that does not exist', { a: 'colour' }],
  ['an argument without a type', { a: { description: 'x' } }],
  ['a default of another type', { a: { type: 'integer', default: 'x' } }],
  ['a name that no argument can have', { 'a\nb': 'string' }],
  ['the name of the prototype', JSON.parse('{"__proto__": "string"}')],
])('rejects %s', (_, raw) => {
  expect(() => parseToolSchema(raw)).toThrow(/argument/)
})

test('deep nesting ends in free objects', () => {
  let schema: unknown = { type: 'string' }
  for (let i = 0; i < 50; i++) schema = { type: 'object', properties: { a: schema } }
  expect(JSON.stringify(toJsonSchema(parseToolSchema(schema).input)).split('"a"').length - 1).toBeLessThan(10)
  let list: unknown = { type: 'string' }
  for (let i = 0; i < 50; i++) list = { type: 'array', items: list }
  expect(() => parseToolSchema({ type: 'object', properties: { a: list } })).not.toThrow()
})
