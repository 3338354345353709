// The script security_review/scripts/find-secrets.mjs, which finds likely secrets and never prints one.
import { expect, test } from 'vitest'
import { runScript, scratch } from '../support/script.ts'

const run = (cwd: string) => runScript('security_review/scripts/find-secrets.mjs', ['.'], cwd)
/** Joins strings at run time, so that no scanner treats this file as a leak. */
const join = (...parts: string[]) => parts.join('')

const found: [string, string][] = [
  ['private key', join('-----BEGIN RSA PRIV', 'ATE KEY-----')],
  ['AWS access key', join('id = AKI', 'AIOSFODNN7ABCDEFG')],
  ['GitHub token', join('gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8')],
  ['model provider key', join('sk', '-ant-', 'abcDEF123456abcDEF123456')],
  ['password in address', join('postgres://app:', 'hunter2xyz', '@db/app')],
  ['assigned secret', join('client_secret: "', 'x9Kd83jf0sLqPz71', '"')],
]

test('finds each kind, masked', () => {
  const { code, out } = run(scratch({ 'a.txt': found.map(([, line]) => line).join('\n') }))
  expect(code).toBe(1)
  const lines = out.trim().split('\n')
  expect(lines.map((line) => line.split(':').slice(0, 3).join(':'))).toEqual([
    ...found.map(([kind], i) => `a.txt:${i + 1}: ${kind}`),
    '1 files read, 6 likely secrets',
  ])
  for (const [, line] of found) expect(out).not.toContain(line.slice(-12))
})

test('ignores placeholders', () => {
  const lines = [
    'password = "change-me"',
    join('token: "$', '{TOKEN_FROM_ENV}"'),
    'api_key = "xxxxxxxxxxxxxxxx"',
    'secret: process.env.SECRET_VALUE',
    join('postgres://user:$', '{PASSWORD}@db/app'),
    'password: "aaaaaaaaaaaa"',
  ]
  expect(run(scratch({ 'a.txt': lines.join('\n') }))).toMatchObject({ code: 0 })
})

test('skips binary files and dependencies', () => {
  const key = join('-----BEGIN PRIV', 'ATE KEY-----')
  const { code, out } = run(scratch({ 'a.bin': `\0${key}`, 'node_modules/a.txt': key }))
  expect({ code, out }).toEqual({ code: 0, out: '0 files read, 0 likely secrets\n' })
})
