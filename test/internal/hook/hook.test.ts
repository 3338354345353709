// Events that can refuse, and events that concern tools.
import { expect, test } from 'vitest'
import { hookEvents, refusableEvents, toolEvents } from '../../../internal/hook/hook.ts'

test('only events before an action can refuse it', () => {
  expect(hookEvents.filter((event) => refusableEvents.has(event))).toEqual([
    'PreToolUse',
    'UserPromptSubmit',
    'PreCompact',
  ])
  expect(hookEvents.filter((event) => toolEvents.has(event))).toEqual(['PreToolUse', 'PostToolUse'])
})
