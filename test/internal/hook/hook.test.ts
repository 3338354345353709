// Which events can refuse and which concern tools.
import { expect, test } from 'vitest'
import { aboutTools, hookEvents, refusable } from '../../../internal/hook/hook.ts'

test('what comes before something can refuse it', () => {
  expect(hookEvents.filter((event) => refusable.has(event))).toEqual([
    'PreToolUse',
    'UserPromptSubmit',
    'PreCompact',
  ])
  expect(hookEvents.filter((event) => aboutTools.has(event))).toEqual(['PreToolUse', 'PostToolUse'])
})
