// Sentences about permissions for users who have not read the manual.
import { expect, test } from 'vitest'
import { levels, modes } from '../../../internal/policy/level.ts'
import {
  describeAction,
  describeFolder,
  describeLevel,
  explainCall,
} from '../../../internal/policy/permission-wording.ts'
import { policyOf } from './policies.ts'

test('describes every level in every mode without names from the code', () => {
  for (const level of levels) {
    for (const mode of modes) {
      const text = describeLevel(level, policyOf('/ws', { mode }))
      expect(text).not.toMatch(/level|_/)
      expect(text).toContain(`mode ${mode}`)
      expect(text.startsWith(describeAction(level))).toBe(true)
    }
  }
})

test.each([
  ['confirm_write', 'ask', 'writes a file; mode ask asks for every write'],
  [
    'confirm_write',
    'auto',
    'writes a file; mode auto asks for writes other than edits of ordinary files in the workspace',
  ],
  ['confirm_execute', 'ask', 'runs a command; mode ask asks for every command'],
  ['confirm_execute', 'edits', 'runs a command; mode edits asks for every command'],
  [
    'confirm_execute',
    'auto',
    'runs a command; mode auto asks for commands not known to only read, test or build',
  ],
  ['confirm_execute', 'unrestricted', 'runs a command; mode unrestricted allows that'],
] as const)('%s in mode %s', (level, mode, text) => {
  expect(describeLevel(level, policyOf('/ws', { mode }))).toBe(text)
})

test('describes presets, calls and directories', () => {
  const strict = policyOf('/ws', { preset: 'strict' })
  expect(describeLevel('delegated', strict)).toMatch(/; preset strict denies that unless a rule allows it$/)
  const call = { tool: 'edit_file', level: 'confirm_write', args: {}, scope: [] } as const
  expect(explainCall(call, policyOf('/ws'))).toBe('edit_file writes a file; mode ask asks for every write')
  expect([describeFolder('.'), describeFolder('a/b')]).toEqual(['the workspace folder', 'the folder a/b'])
})
