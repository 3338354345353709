// Sensitive files below a directory.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { viewDisk } from '../../../../internal/policy/paths/disk-view.ts'
import { resolvePath } from '../../../../internal/policy/paths/path-jail.ts'
import {
  findSensitiveContents,
  type SensitiveScanOptions,
} from '../../../../internal/policy/paths/sensitive-contents.ts'
import { folder, remove, rootsOf } from '../policies.ts'

let ws = ''
beforeAll(() => {
  ws = folder('a/deep/.git', 'b/node_modules/x/.husky', 'c', 'd', 'e', '.dot')
  for (const name of ['a/key.pem', 'd/plain', '.dot/id_rsa']) writeFileSync(join(ws, name), '')
  symlinkSync('../a/key.pem', join(ws, 'c/link'))
  symlinkSync('loop', join(ws, 'e/loop'))
})
afterAll(() => remove(ws))

const find = (name: string, options: SensitiveScanOptions = { access: 'write' }, entries = 1_000) => {
  const roots = rootsOf(ws)
  const found = findSensitiveContents(resolvePath(ws, roots, name), roots, viewDisk(), { entries }, options)
  return found.map(({ place }) => place?.shown)
}

test('returns the nearest secret and the nearest sensitive path', () => {
  expect(find('a')).toEqual(['a/key.pem', 'a/deep/.git'])
  expect(find('a', { access: 'read' })).toEqual(['a/key.pem'])
  expect(find('d')).toEqual([])
  expect(find('nowhere')).toEqual([])
  expect(find('d/plain')).toEqual([])
})

test('judges links by their target, and does not search packages', () => {
  expect(find('c')).toEqual(['a/key.pem'])
  expect(find('e')).toEqual([])
  expect(find('b')).toEqual([])
})

test('skips the names that a search skips', () => {
  expect(find('.', { access: 'read', skip: /^(?:\.|a$)/ })).toEqual(['a/key.pem'])
  expect(find('.dot', { access: 'read' })).toEqual(['.dot/id_rsa'])
})

test('returns undefined for a directory with too many files', () => {
  mkdirSync(join(ws, 'big'))
  for (let i = 0; i < 50; i++) writeFileSync(join(ws, 'big', `f${i}`), '')
  expect(find('big', { access: 'write' }, 40)).toEqual([undefined])
  expect(find('big', { access: 'write' }, 60)).toEqual([])
})
