// `anode` without a terminal at one end: the same behavior as `anode execute` with the same arguments.
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { world } from '../support/anode.ts'
import { anodeLine, openTerminal } from '../support/tmux.ts'

function place() {
  const at = world()
  onTestFinished(() => at.remove())
  at.put('src/a.ts', 'export const a = 1\n')
  at.put('ok.jsonl', '{"text":"The answer."}')
  return at
}

const model = ['--model', 'script:ok.jsonl']

const lines: [words: string[], input?: string][] = [
  [['what is here?', ...model]],
  [[...model, '--', 'fix', 'the', 'tests']],
  [['--', 'where', 'is', 'a', 'exported']],
  [['review this', ...model], 'a diff'],
  [[...model], 'What is here?'],
  [[...model, '--json', 'what is here?']],
  [[...model, '--stats', '--quiet', 'what is here?']],
  [[...model, '--profile', 'review', 'what is here?']],
  [[...model, '--approval', 'nosuch', 'what is here?']],
  [[...model, '--allow-tool', 'nosuch', 'what is here?']],
  [['--model', 'nosuch/x', 'what is here?']],
  [[...model, '--resume', 'nosuch', 'go on']],
  [[...model, '--screen', 'plain', 'what is here?']],
  [[...model]],
]

it.each(lines)('%j is what execute makes of it', async (words, input) => {
  const own = await place().anode(words, { input: input ?? '' })
  const executed = await place().anode(['execute', ...words], { input: input ?? '' })
  // ids, times and directories differ between runs
  const comparable = ({ code, ...said }: typeof own) => [
    code,
    ...[said.out, said.err].map((text) =>
      text.replace(/[0-9A-Z]{26}|"(?:ms|ts)":\d+|[\d.]+ m?s\b|\/\S+/g, ''),
    ),
  ]
  expect(comparable(own)).toEqual(comparable(executed))
})

it.each([
  ['a terminal before a pipe', (line: string) => `${line} | cat`],
  ['a pipe before a terminal', (line: string) => `echo more | ${line}`],
  ['a file before a terminal', (line: string) => `${line} < src/a.ts`],
])('%s', async (_, shellLine) => {
  const shown = async (words: string[]) => {
    const { dir, data } = place()
    const env = { HOME: join(dir, '..'), ANODE_DATA_DIR: data }
    const terminal = openTerminal(shellLine(anodeLine(...words)), { cwd: dir, env })
    expect(await terminal.exit()).toBe(0)
    return terminal
      .lines()
      .replace(/[\d.]+ m?s\b/g, '')
      .replace(/^Pane is dead.*$/m, '')
  }
  const own = await shown(['what is here?', '--quiet', ...model])
  expect(own).toContain('The answer.')
  expect(own).toBe(await shown(['execute', 'what is here?', '--quiet', ...model]))
})

it('a finished thread without a new message is not sent to the model again', async () => {
  const at = place()
  at.put('two.jsonl', '{"text":"The first answer."}\n{"text":"The second answer."}\n')
  const two = ['--model', 'script:two.jsonl']
  expect((await at.anode(['what is here?', ...model])).out).toContain('The answer.')
  for (const words of [['-c'], ['--continue', '--json'], ['execute', '--resume', 'last'], ['-c', '  ']]) {
    const { code, out, err } = await at.anode([...words, ...two], { input: '' })
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/no message was given[^\n]*\nanode execute --resume \S+ "what to do next"/)
  }
  // a new message and an interrupted run continue
  const next = await at.anode(['-c', 'and then?', ...two], { input: '' })
  expect([next.code, next.out.trim()]).toEqual([0, 'The first answer.'])
  at.put('cut.jsonl', '{"calls":[{"name":"glob","args":{"pattern":"*"}}]}\n{"text":"So far."}\n')
  const cut = await at.anode(['what is new?', '--model', 'script:cut.jsonl', '--max-turns', '1'])
  expect([cut.code, cut.err]).toEqual([3, expect.stringContaining('ended early')])
  const resumed = await at.anode(['-c', ...two], { input: '' })
  expect([resumed.code, resumed.out.trim()]).toEqual([0, 'The first answer.'])
})
