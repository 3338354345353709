// Which efforts make a difference to which model.
import { expect, test } from 'vitest'
import { acceptedEfforts } from '../../../internal/model/accepted-efforts.ts'

test.each([
  ['anthropic', 'claude-sonnet-5', 'none low medium high xhigh max'],
  ['anthropic', 'claude-3-haiku', ''],
  ['openai', 'gpt-5.4', 'none low medium high xhigh'],
  ['openai', 'gpt-4o', ''],
  ['nobody', 'gpt-5', ''],
])('%s/%s: %s', (provider, model, efforts) => {
  expect(acceptedEfforts(provider, model).join(' ')).toBe(efforts)
})
