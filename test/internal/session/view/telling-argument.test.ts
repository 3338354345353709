// A call in one line.
import { expect, it } from 'vitest'
import { tellingArgument } from '../../../../internal/session/view/telling-argument.ts'

it('tells the argument that says most, in one line of bounded length', () => {
  expect(tellingArgument({ timeout: 1, path: 'a.ts', pattern: 'x' })).toBe('a.ts')
  expect(tellingArgument({ command: 'a\n  b' })).toBe('a b')
  expect(tellingArgument({ odd: 'z' })).toBe('z')
  for (const odd of [undefined, null, 3, [], {}]) expect(tellingArgument(odd)).toBe('')
  expect(tellingArgument({ path: 'x'.repeat(999) })).toHaveLength(161)
})
