// Calls under names of other programs, in the form that models learnt them, come out as what was meant.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { adaptArguments } from '../../../internal/tool/argument-aliases.ts'
import { rng } from '../../support/rng.ts'

test.each([
  ['shell_command', { command: 'ls', workdir: 'src' }, { command: 'ls', cwd: 'src' }],
  ['shell_command', { command: ['ls', '-l', 'a b'] }, { command: "ls -l 'a b'" }],
  [
    'shell',
    { command: ['bash', '-lc', 'cd x && ls'], timeout: 500 },
    { command: 'cd x && ls', timeout_ms: 500 },
  ],
  ['shell', { command: ['/bin/sh', '-c', 'ls | wc'] }, { command: 'ls | wc' }],
  ['shell', { command: ['bash', '-lc', 'ls', 'extra'] }, { command: 'bash -lc ls extra' }],
  ['shell_command', { command: 'ls', justification: 'why', login: true }, { command: 'ls' }],
  ['shell_command', { command: 'ls', sandbox_permissions: 'all', prefix_rule: ['ls'] }, { command: 'ls' }],
  ['Bash', { command: 'ls', description: 'lists', timeout: 9 }, { command: 'ls', timeout_ms: 9 }],
  ['Read', { file_path: 'a' }, { path: 'a' }],
  ['Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }, { path: 'a', old_str: 'x', new_str: 'y' }],
  ['shell_command', { command: [] }, { command: [] }],
  ['shell_command', { command: ['a', 1] }, { command: ['a', 1] }],
  ['bash', { command: 'ls', workdir: 'src' }, { command: 'ls', workdir: 'src' }],
  ['__proto__', { a: 1 }, { a: 1 }],
  ['shell', null, null],
  ['shell', 'ls', 'ls'],
])('%s %j', (name, args, expected) => {
  expect(adaptArguments(name, args)).toEqual(expected)
})

test('a list of any words is read by bash as the same words', () => {
  const next = rng(11)
  const letters = ['a', ' ', "'", '"', '$', '`', '\\', '*', '\n', ';', '#', '~', 'é', '!', '(', '&', '=']
  for (let i = 0; i < 60; i++) {
    const words = Array.from({ length: 1 + Math.floor(next() * 4) }, () =>
      Array.from({ length: Math.floor(next() * 6) }, () => letters[Math.floor(next() * letters.length)]).join(
        '',
      ),
    )
    const command = ['printf', '%s\\0', ...words]
    const { command: line } = adaptArguments('shell', { command }) as { command: string }
    expect(execFileSync('bash', ['-c', line]).toString().split('\0').slice(0, -1)).toEqual(words)
  }
})
