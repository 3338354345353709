// Arguments with their default values.
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { listDefaults } from '../../../../internal/tool/authorization/default-arguments.ts'

const input = z.object({
  path: z.string(),
  count: z._default(z.int(), 3),
  names: z._default(z.array(z.string()), ['a']),
  flag: z.optional(z.boolean()),
})

test.each([
  [{ path: 'x', count: 3, names: ['a'] }, ['count', 'names']],
  [{ path: 'x', count: 4, names: ['a', 'b'] }, []],
  [{ path: 'x', count: 3, names: [] }, ['count']],
  [{ path: 'x', flag: false, other: 3 }, []],
])('%j', (args, names) => expect(listDefaults(input, args)).toEqual(names))
