// What typed text is judged as: a command line where the shell reads it, else only its exact text.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDirectCalls } from '../../../../internal/service/calls/direct-call.ts'
import { scratchWith } from '../../../support/scratch.ts'

async function openTerminal(sandbox: 'off' | 'auto') {
  const dir = scratchWith({ 'a.txt': 'a\n' })
  const session = await openDirectCalls({
    ...{ cwd: dir, env: { PATH: process.env.PATH, HOME: dir, ANODE_DATA_DIR: join(dir, '.data') } },
    ...{ signal: new AbortController().signal, mode: 'auto', approval: 'flag', addDirs: [] },
    ...{ record: 'changes', names: ['*'], terminal: undefined, sandbox },
  })
  onTestFinished(() => session.close())
  const entry = session.catalog.find('terminal_write')
  if (!entry) throw new Error('there is no terminal_write')
  expect((await session.call({ name: 'terminal_start', args: {} })).failed).toBeUndefined()
  const args = (input: string, rest: object) => ({ session_id: 'term_1', input, yield_time_ms: 150, ...rest })
  return {
    type: async (input: string, rest: object = {}) =>
      (await session.call({ name: 'terminal_write', args: args(input, rest) })).text,
    async judge(input: string, rest: object = {}) {
      const { decision, lines } = await session.explain(entry, args(input, rest), 'thread')
      return [decision.action, lines.join('\n')] as const
    },
    interrupt: () => session.call({ name: 'terminal_interrupt', args: { session_id: 'term_1' } }),
  }
}

test('commands are judged by their text, by the program that reads them, and by the text before them', async () => {
  const { type, judge, interrupt } = await openTerminal('off')
  expect((await judge('ls a.txt'))[0]).toBe('allow')
  expect((await judge('rm a.txt'))[0]).toBe('ask')
  expect((await judge('git status'))[0]).toBe('ask')
  expect(await judge('ls', { append_newline: false })).toEqual([
    'ask',
    expect.stringMatching(/not a whole line/),
  ])
  expect(await judge('ls\x03')).toEqual(['ask', expect.stringMatching(/control characters/)])
  // half a command: what follows belongs to it
  await type("echo '")
  expect((await judge("ls '; rm a.txt; echo '"))[0]).toBe('ask')
  await interrupt()
  expect((await judge('ls'))[0]).toBe('allow')
  await type('cat')
  expect(await judge('ls')).toEqual(['ask', expect.stringMatching(/another program than a shell/)])
  await interrupt()
  await type('cd /usr')
  expect(await judge('ls')).toEqual(['ask', expect.stringMatching(/outside of the workspace/)])
})

test('in a sandbox, contained commands need no approval', async ({ skip }) => {
  const { type, judge } = await openTerminal('auto')
  const [action, lines] = await judge('python3 -i')
  skip(action !== 'allow' && !lines.includes('wall'), 'this machine has no wall')
  expect(action).toBe('allow')
  expect((await judge('git commit -m x'))[0]).toBe('ask')
  const text = await type('touch /usr/x; touch b.txt; ls *.txt', { yield_time_ms: 1_500 })
  expect(text).toMatch(/Read-only file system[\s\S]*a\.txt\s+b\.txt/)
})
