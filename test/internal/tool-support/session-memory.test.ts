// What a tool remembers belongs to one session.
import { expect, test } from 'vitest'
import { createSessionMemory } from '../../../internal/tool-support/session-memory.ts'

test('is the same within a session, another in the next, and none where no call follows', () => {
  const memory = createSessionMemory(() => ({ calls: 0 }))
  const one = { seen: new Map<string, string>() }
  memory(one).calls++
  expect(memory(one).calls).toBe(1)
  expect(memory({ seen: new Map() }).calls).toBe(0)
  memory({ seen: undefined }).calls++
  expect(memory({ seen: undefined }).calls).toBe(0)
})
