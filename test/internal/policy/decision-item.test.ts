// Small questions that all kinds of items share.
import { expect, test } from 'vitest'
import { limitsOf, namesPath, ruleKind, showWords } from '../../../internal/policy/decision-item.ts'
import type { ResolvedPath } from '../../../internal/policy/paths/path-jail.ts'

const place = {
  given: '.env',
  named: '/w/.env',
  real: '/w/.env',
  exists: true,
  root: '/w',
  shown: '.env',
} as ResolvedPath

test('shows the subject of a rule', () => {
  const rule = { tool: '*', action: 'allow' } as const
  expect(ruleKind(rule)).toBe('call')
  expect(ruleKind({ ...rule, path: 'x' })).toBe('path')
  expect(ruleKind({ ...rule, host: 'x' })).toBe('host')
  expect(ruleKind({ ...rule, path: 'x', command: 'y' })).toBe('command')
})

test('a rule contains a path only in the exact spelling of the path', () => {
  const rule = (path: string, action: 'allow' | 'ask' = 'allow') => ({ tool: '*', action, path }) as const
  expect(namesPath(rule('.env'), place)).toBe(true)
  expect(namesPath(rule('./.env'), place)).toBe(true)
  expect(namesPath(rule('.env', 'ask'), place)).toBe(false)
  for (const path of ['.en?', '**', '.env*', 'x/.env']) expect(namesPath(rule(path), place), path).toBe(false)
})

test('lists limits of paths that a rule does not lift', () => {
  expect(limitsOf({ action: 'allow', code: undefined, text: '' }, false)).toEqual([])
  const secret = { action: 'ask', code: 'sensitive_path', text: 'x' } as const
  expect(limitsOf(secret, true)).toEqual([])
  expect(limitsOf(secret, false)).toMatchObject([{ action: 'ask', by: 'path', code: 'sensitive_path' }])
  expect(limitsOf({ ...secret, code: 'protected_path' }, true)).toHaveLength(1)
})

test('quotes words like a shell, so that different commands look different', () => {
  expect(showWords(['git', 'commit', '-am', 'Round half up'])).toBe('git commit -am "Round half up"')
  expect(showWords(['echo', 'say "x"', '', "it's"])).toBe(`echo 'say "x"' "" "it's"`)
  expect(showWords([])).toBe('')
  expect(showWords(['x'.repeat(200)])).toHaveLength(120)
})
