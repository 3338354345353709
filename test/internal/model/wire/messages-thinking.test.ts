// The models that get a thinking setting, and its form.
import { expect, test } from 'vitest'
import {
  claudeVersion,
  thinkingFields,
  thinkingHeaders,
} from '../../../../internal/model/wire/messages-thinking.ts'

test.each([
  ['claude-sonnet-5', 500],
  ['claude-opus-4-8', 408],
  ['claude-haiku-4-5-20251001', 405],
  ['claude-sonnet-4-20250514', 400],
  ['claude-3-7-sonnet-20250219', 307],
  ['claude-3-5-haiku-latest', 305],
  ['us.anthropic.claude-opus-4-6-v1:0', 406],
  ['anthropic/claude-sonnet-4.6', 406],
  ['glm-5.2', undefined],
])('%s is version %s', (model, version) => {
  expect(claudeVersion(model)).toBe(version)
})

test.each([
  ['claude-sonnet-5', 'max', { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }],
  ['claude-sonnet-5', 'minimal', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
  ['claude-sonnet-5', 'none', { thinking: { type: 'disabled' } }],
  ['claude-sonnet-5', undefined, {}],
  ['claude-haiku-4-5', 'low', { thinking: { type: 'enabled', budget_tokens: 2048 } }],
  ['claude-haiku-4-5', 'max', { thinking: { type: 'enabled', budget_tokens: 8976 } }],
  ['claude-haiku-4-5', 'none', {}],
  ['claude-3-5-haiku-latest', 'high', {}],
  ['glm-5.2', 'high', {}],
] as const)('%s at %s', (model, effort, fields) => {
  expect(thinkingFields(effort, model, 10_000)).toEqual(fields)
})

test('requests no thinking budget if the output limit is too small', () => {
  expect(thinkingFields('high', 'claude-haiku-4-5', 2_000)).toEqual({})
})

test('only models before adaptive thinking get the setting to think between calls', () => {
  expect(thinkingHeaders('claude-sonnet-4-5')).toHaveProperty('anthropic-beta')
  expect(thinkingHeaders('claude-sonnet-5')).toEqual({})
})
