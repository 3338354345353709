// The vocabulary of permissions: the table of levels and modes, and the presets over it.
import { expect, test } from 'vitest'
import {
  baselineAction,
  effectiveMode,
  effectOf,
  isRead,
  levels,
  type Mode,
  modes,
  type PermissionPreset,
  presetNames,
  strictestAction,
} from '../../../internal/policy/level.ts'
import { bash, file, folder, judge, policyOf, remove } from './policies.ts'

const column = (mode: Mode, preset?: PermissionPreset) =>
  levels.map((level) => baselineAction(level, mode, preset)).join(' ')

test('each mode has a fixed action for each level', () => {
  // auto_read external_read state_write delegated confirm_write confirm_execute interactive
  expect(column('ask')).toBe('allow allow allow allow ask ask allow')
  expect(column('auto')).toBe('allow allow allow allow ask ask allow')
  expect(column('unrestricted')).toBe('allow allow allow allow allow allow allow')
})

test('each preset has a fixed action for each level', () => {
  expect(column('ask', 'careful')).toBe('allow allow ask ask ask ask allow')
  expect(column('unrestricted', 'careful')).toBe('allow allow ask ask ask ask allow')
  expect(column('ask', 'strict')).toBe('allow deny deny deny deny deny deny')
  expect(column('unrestricted', 'strict')).toBe('allow deny deny deny deny deny deny')
  expect(column('ask', 'unrestricted')).toBe('allow allow allow allow allow allow allow')
})

test('only `unrestricted` allows more than the mode', () => {
  for (const preset of presetNames) {
    for (const mode of modes) {
      for (const level of levels) {
        const bare = baselineAction(level, effectiveMode(mode, preset), undefined)
        expect(strictestAction(bare, baselineAction(level, mode, preset))).toBe(
          baselineAction(level, mode, preset),
        )
      }
    }
  }
})

test('deny beats ask beats allow', () => {
  expect(strictestAction()).toBe('allow')
  expect(strictestAction('allow', 'ask')).toBe('ask')
  expect(strictestAction('ask', 'deny', 'allow')).toBe('deny')
})

test('presets ignore command classes, and rules can allow calls under strict', async () => {
  const ws = folder()
  const under = async (preset: PermissionPreset, line: string, rules: Parameters<typeof policyOf>[1] = {}) =>
    (await judge(bash(line), policyOf(ws, { mode: 'auto', preset, ...rules }))).action
  expect(await under('careful', 'npm test')).toBe('ask')
  expect(await under('strict', 'npm test')).toBe('deny')
  expect(await under('unrestricted', 'npm publish')).toBe('allow')
  const rules = [{ tool: 'bash', command: 'npm test', action: 'allow' } as const]
  expect(await under('strict', 'npm test', { rules })).toBe('allow')
  expect(await under('strict', 'npm test && ls', { rules })).toBe('deny')
  expect(await under('strict', 'npm test $X', { rules })).toBe('deny')
  const edit = file('edit_file', 'confirm_write', 'a')
  expect((await judge(edit, policyOf(ws, { preset: 'strict' }))).action).toBe('deny')
  remove(ws)
})

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
