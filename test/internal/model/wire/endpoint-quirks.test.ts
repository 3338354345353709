// The effort settings that endpoints get, and ids for endpoints with strict rules.
import { expect, test } from 'vitest'
import type { Effort } from '../../../../internal/model/model.ts'
import { providers } from '../../../../internal/model/providers.ts'
import { callId, effortFields } from '../../../../internal/model/wire/endpoint-quirks.ts'

const cases: [provider: string, model: string, effort: Effort | undefined, fields: unknown][] = [
  ['openai', 'gpt-5.4', 'max', { reasoning_effort: 'xhigh' }],
  ['openai', 'gpt-5.4', 'none', { reasoning_effort: 'none' }],
  ['openai', 'gpt-5.1', 'xhigh', { reasoning_effort: 'high' }],
  ['openai', 'gpt-5', 'none', { reasoning_effort: 'minimal' }],
  ['openai', 'gpt-5-mini', 'medium', { reasoning_effort: 'medium' }],
  ['openai', 'o3', 'minimal', { reasoning_effort: 'low' }],
  ['openai', 'gpt-4o', 'high', {}],
  ['openai', 'gpt-5.4', undefined, {}],
  ['anthropic', 'claude-sonnet-5', 'high', {}],
  ['openrouter', 'anything/at-all', 'medium', { reasoning: { effort: 'medium' } }],
  ['deepseek', 'deepseek-v4-pro', 'none', { thinking: { type: 'disabled' } }],
  ['deepseek', 'deepseek-v4-pro', 'medium', { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
  ['zai', 'glm-4.7', 'high', { thinking: { type: 'enabled' } }],
  ['groq', 'openai/gpt-oss-120b', 'max', { reasoning_effort: 'high' }],
  ['groq', 'llama-3.3-70b-versatile', 'max', {}],
]

test.each(cases)('sets the effort fields of %s/%s at %s', (id, model, effort, fields) => {
  const quirks = providers.find((provider) => provider.id === id)?.quirks
  if (!quirks) throw new Error(`no provider ${id}`)
  expect(effortFields(effort, model, quirks)).toEqual(fields)
})

test('short ids are stable and distinct, and valid ids are unchanged', () => {
  const quirks = { shortIds: true }
  expect(callId('call_01ABC', quirks)).toMatch(/^[A-Za-z0-9]{9}$/)
  expect(callId('call_01ABC', quirks)).toBe(callId('call_01ABC', quirks))
  expect(callId('call_01ABC', quirks)).not.toBe(callId('call_01ABD', quirks))
  expect(callId('abcDEF123', quirks)).toBe('abcDEF123')
  expect(callId('call_01ABC', {})).toBe('call_01ABC')
})
