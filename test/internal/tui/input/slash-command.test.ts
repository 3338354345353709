// The meaning of an input line.
import { expect, test } from 'vitest'
import { completeCommand, readInput, slashCommands } from '../../../../internal/tui/input/slash-command.ts'

test.each([
  ['  ', { kind: 'nothing' }],
  [' fix it ', { kind: 'say', text: 'fix it' }],
  ['//etc/hosts is wrong', { kind: 'say', text: '/etc/hosts is wrong' }],
  ['/model openai/gpt', { kind: 'command', name: 'model', argument: 'openai/gpt' }],
  ['/model', { kind: 'command', name: 'model', argument: '' }],
  ['/rename  Two words ', { kind: 'command', name: 'rename', argument: 'Two words' }],
  ['/queue then\nthis', { kind: 'command', name: 'queue', argument: 'then\nthis' }],
  ['!git status', { kind: 'shell', line: 'git status', tell: true }],
  ['!! ls', { kind: 'shell', line: 'ls', tell: false }],
])('%j', (text, meaning) => {
  expect(readInput(text)).toEqual(meaning)
})

test.each([
  ['/modle', /unknown command \/modle; did you mean \/mode/],
  ['/stop', /unknown command \/stop; Esc stops the run/],
  ['/cancel', /unknown command \/cancel; Esc stops the run/],
  ['/unqueue', /unknown command \/unqueue; Up takes the last message out of the queue/],
  ['/etc/hosts is wrong', /\/\/ sends a text that begins with a slash/],
  ['/', /unknown command \//],
  ['/rename', /needs TITLE/],
  ['/quit now', /\/quit takes no argument/],
  ['/exit now', /\/exit takes no argument/],
  ['/title', /\/title needs TITLE/],
  ['!', /type a command after/],
  ['!!', /type a command after/],
])('%j is never sent', (text, message) => {
  expect(readInput(text)).toEqual({ kind: 'refused', message: expect.stringMatching(message) })
})

test('what is typed of a name is completed, those that begin with it first', () => {
  const names = (text: string) => completeCommand(text).map(({ name }) => name)
  expect(names('/mo')).toEqual(['model', 'mode'])
  expect(names('/e').slice(0, 3)).not.toContain('quit')
  expect(names('/')).toHaveLength(slashCommands.length)
  expect(names('/model ')).toEqual([])
  expect(names('say /mo')).toEqual([])
})

test('what other programs call a command finds it where none of ours begins so', () => {
  const names = (text: string) => completeCommand(text).map(({ name }) => name)
  expect(names('/exi')).toEqual(['quit'])
  expect(names('/cle')).toEqual(['new'])
  expect(names('/settin')).toEqual(['config'])
  expect(names('/res')).toEqual(['resume', 'research'])
})

/** Every alias. */
const aliases = {
  new: 'clear reset',
  quit: 'exit q bye',
  help: 'commands',
  resume: 'sessions threads history continue',
  usage: 'cost stats tokens status',
  compact: 'compress summarize',
  model: 'models login connect',
  effort: 'thinking reasoning',
  permissions: 'approvals',
  mode: 'yolo',
  config: 'settings',
  jobs: 'tasks',
  rewind: 'checkpoint restore',
  diff: 'changes',
  export: 'save',
  editor: 'edit',
}
const rows = Object.entries(aliases).flatMap(([name, words]) =>
  words.split(' ').map((alias) => [alias, name] as const),
)

test.each(rows)('/%s runs /%s, and is the first entry of the menu', (alias, name) => {
  expect(readInput(`/${alias}`)).toEqual({ kind: 'command', name, argument: '' })
  expect(completeCommand(`/${alias}`)[0]?.name).toBe(name)
  const skill = { name: alias, about: 'a skill of the user' }
  expect(readInput(`/${alias}`, [skill])).toMatchObject({ kind: 'skill', name: alias })
  expect(completeCommand(`/${alias}`, [skill])[0]).toBe(skill)
})

test.each(slashCommands)('/$name comes first when its name is complete', ({ name }) => {
  expect(completeCommand(`/${name}`)[0]?.name).toBe(name)
})

test('/init asks the model for AGENTS.md', () => {
  expect(readInput('/init')).toEqual({ kind: 'say', text: expect.stringContaining('AGENTS.md') })
})
