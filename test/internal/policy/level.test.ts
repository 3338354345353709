// The vocabulary of permissions.
import { expect, test } from 'vitest'
import { effectOf, isRead, levels } from '../../../internal/policy/level.ts'

test('lists the effect of every level, and whether it only reads', () => {
  expect(Object.fromEntries(levels.map((level) => [level, `${effectOf(level)} ${isRead(level)}`]))).toEqual({
    auto_read: 'read true',
    external_read: 'read true',
    state_write: 'write false',
    delegated: 'exec false',
    confirm_write: 'write false',
    confirm_execute: 'exec false',
    interactive: 'interact false',
  })
})
