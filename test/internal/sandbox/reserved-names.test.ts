// The message below a list of files that shows reserved names, which do not exist in the workspace.
import { expect, test } from 'vitest'
import { describeListedNames } from '../../../internal/sandbox/reserved-names.ts'

const reserved = ['/w/.envrc', '/w/.vscode', '/w/mise.toml', '/w/.github/workflows']
const message = (count: number, example: string) => [
  `${count} empty folders such as ${example} reserve protected names and do not exist in the workspace`,
]

test.each<[string, string, string[]]>([
  ['ls', 'a.js\nmise.toml\n.envrc\n.vscode\n', message(3, 'mise.toml')],
  [
    'ls -l',
    ['.envrc', '.vscode', 'mise.toml'].map((name) => `dr-x 2 root 40 ${name}\n`).join(''),
    message(3, '.envrc'),
  ],
  ['find', './.envrc\n./.vscode\n./mise.toml\n./.github/workflows\n', message(4, '.envrc')],
  ['quoted names', "'.envrc'  '.vscode'  'mise.toml'", message(3, '.envrc')],
  ['one name', 'cat: .envrc: Is a directory\n', []],
  ['two names', '.envrc .vscode', []],
  ['the same name often', '.envrc '.repeat(50), []],
  ['parts of other names', '.envrc2 a.vscode mise.toml.bak', []],
  ['an empty output', '', []],
])('%s', (_, output, expected) => {
  expect(describeListedNames(output, reserved)).toEqual(expected)
})

test('a workspace without reserved names gets no message', () => {
  expect(describeListedNames('.envrc .vscode mise.toml', [])).toEqual([])
})
