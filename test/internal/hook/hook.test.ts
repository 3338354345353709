// Events that can refuse, and events that concern tools.
import { expect, test } from 'vitest'
import { hookEvents, refusableEvents, toolEvents } from '../../../internal/hook/hook.ts'

test('only hooks of events before an action, and at the end of an agent, can refuse', () => {
  expect(hookEvents.filter((event) => refusableEvents.has(event))).toEqual([
    'PreToolUse',
    'UserPromptSubmit',
    'PreCompact',
    'Stop',
    'SubagentStop',
  ])
  expect(hookEvents.filter((event) => toolEvents.has(event))).toEqual(['PreToolUse', 'PostToolUse'])
})
