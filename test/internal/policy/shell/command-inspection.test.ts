// Why a command needs an exact rule.
import { expect, test } from 'vitest'
import { inspectCommand } from '../../../../internal/policy/shell/command-inspection.ts'
import {
  plainWord,
  type ShellWord,
  type SimpleCommand,
  simpleCommand,
} from '../../../../internal/policy/shell/syntax/simple-command.ts'

const command = (line: string, more: Partial<SimpleCommand> = {}): SimpleCommand => ({
  ...simpleCommand(
    line
      .split(' ')
      .map((text) => ({ ...plainWord(text), known: !text.startsWith('$'), glob: text.includes('*') })),
  ),
  ...more,
})
const value: ShellWord = plainWord('x')

test.each([
  ['ls -la', undefined, false],
  ['rm -rf x', undefined, false],
  ['ls *', undefined, false],
  ['rg *', '* may become an option', true],
  ['rg a*', undefined, false],
  ['$X a', 'which program', true],
  ['l* a', 'which program', true],
  ['ls $X', '$X is only known', false],
  ['rg $X', '$X is only known', true],
  ['find $X', '$X is only known', true],
  ['rg --pre x y', 'rg --pre', true],
  ['sort -o x', 'write', false],
  ['sort --compress-program=x', 'start programs', true],
  ['vim --version', undefined, false],
  ['vim x', 'editor', true],
  ['/usr/bin/vim x', 'editor', true],
  ['set -euo pipefail', undefined, false],
  ['set -x', 'not known to only read', false],
  ['uniq a b', 'with 2 operands', false],
  ['constructor x', undefined, false],
] as const)('%j: %s', (line, opaque, unseen) => {
  const found = inspectCommand(command(line))
  if (opaque === undefined) expect(found.opaque).toBeUndefined()
  else expect(found.opaque).toContain(opaque)
  expect(found.unseen).toBe(unseen)
})

const deciding = ['PATH', 'BASH_ENV', 'LD_PRELOAD', 'GIT_EXTERNAL_DIFF', 'NODE_OPTIONS']
const setters = [
  'read V',
  'read -r V',
  'read -r first V',
  'read -ra V',
  'getopts ab V',
  'unset V',
  'unset -v V',
]
const values = ['export V=x', 'declare -x V=x', 'typeset V=x', 'readonly V=x', 'local V+=x']

test.each([...setters, ...values])('%s is unseen for a variable that decides what runs', (line) => {
  const isUnseen = (name: string) => inspectCommand(command(line.replace('V', name))).unseen
  expect(deciding.filter((name) => !isUnseen(name))).toEqual([])
  expect(['answer', 'CI', 'line'].filter(isUnseen)).toEqual([])
})

test('a command that exports a variable with its present value is seen', () => {
  expect(deciding.map((name) => inspectCommand(command(`export ${name}`)).unseen)).toEqual(
    deciding.map(() => false),
  )
})

test('checks the variables that a command sets', () => {
  expect(inspectCommand(command('ls', { sets: [{ name: 'CI', value }] })).opaque).toBeUndefined()
  expect(inspectCommand(command('ls', { sets: [{ name: 'FOO', value }] }))).toMatchObject({ unseen: false })
  expect(inspectCommand(command('ls', { sets: [{ name: 'PATH', value }] }))).toMatchObject({ unseen: true })
  expect(inspectCommand({ ...simpleCommand([]), sets: [{ name: 'foo', value }] }).opaque).toBeUndefined()
  expect(inspectCommand({ ...simpleCommand([]), sets: [{ name: 'FOO', value }] }).opaque).toContain('FOO')
  expect(inspectCommand({ ...simpleCommand([]), sets: [{ name: 'PATH', value }] }).opaque).toContain('PATH')
})
