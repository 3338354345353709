// Events that can refuse, and events that concern tools.
import { expect, test } from 'vitest'
import { hookEvents, refusableEvents, toolEvents } from '../../../internal/hook/hook.ts'

test('only hooks of events before an action can reject the action', () => {
  expect(hookEvents.filter((event) => refusableEvents.has(event))).toEqual([
    'PreToolUse',
    'UserPromptSubmit',
    'PreCompact',
  ])
  expect(hookEvents.filter((event) => toolEvents.has(event))).toEqual(['PreToolUse', 'PostToolUse'])
})
