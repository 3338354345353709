// A tool schema as the rows that users read, and as providers get it.
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { listParameters } from '../../../../cmd/anode/tools/parameter-table.ts'
import { toJsonSchema } from '../../../../internal/tool/describe.ts'
import { field } from '../../../../internal/tool/field.ts'

const schema = toJsonSchema(
  z.object({
    path: field(z.string(), 'Where.'),
    limit: field(z._default(z.int().check(z.minimum(1)), 50), 'How many.', { cap: 1000 }),
    kind: field(z._default(z.enum(['a', 'b']), 'a'), 'Which.'),
    edits: field(
      z.optional(z.array(z.object({ old: field(z.string(), 'Old.'), n: z.optional(z.int()) }))),
      'Edits.',
    ),
  }),
)

it('lists every parameter with type, default, cap and values', () => {
  expect(listParameters(schema)).toEqual([
    { name: 'path', type: 'string', required: true, default: '', about: 'Where' },
    {
      name: 'limit',
      type: 'integer',
      required: false,
      default: '50',
      about: 'How many, max 1000',
    },
    { name: 'kind', type: 'string', required: false, default: 'a', about: 'Which; one of a, b' },
    { name: 'edits', type: 'object[]', required: false, default: '', about: 'Edits' },
    { name: 'edits[].old', type: 'string', required: true, default: '', about: 'Old' },
    { name: 'edits[].n', type: 'integer', required: false, default: '', about: '' },
  ])
})

it('is flat and closed', () => {
  expect(schema).toMatchObject({ type: 'object', additionalProperties: false, required: ['path'] })
  expect(JSON.stringify(schema)).not.toMatch(/anyOf|oneOf|\$ref|9007199254740991/)
})
