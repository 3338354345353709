// Commands that users of other programs type: they do the expected thing, or print in one line what to type.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { sampleRows } from '../support/sample.ts'

let at: World
beforeAll(() => {
  at = world()
  at.put('README.md', '# Hello\n\nsecond line\n')
  at.put('ok.jsonl', '{"text":"the answer"}')
})
afterAll(() => at.remove())

const model = ['-m', 'script:ok.jsonl']

describe('runs', () => {
  it.each(
    sampleRows(
      [
        [['what is this repo?', ...model]],
        [['-p', 'what is this?', ...model]],
        [['--print', 'what', ...model]],
        [[...model, 'what']],
        [['--model', 'script:ok.jsonl', 'what is this?']],
        [['-x', 'what', ...model]],
        // a profile may have the name of a command, and words after two dashes are not commands
        [['--profile', 'review', 'what is this?', ...model]],
        [[...model, '--profile', 'study', 'what is this?']],
        [[...model, '--', 'review', 'this']],
        [['run', 'what', ...model]],
        [['exec', '-p', 'what', ...model]],
        [['execute', 'what', ...model, '--output-format', 'text']],
      ],
      3,
    ),
  )('%j', async (words) => {
    const err = 'answered without using any tool\n'
    expect(await at.anode(words)).toEqual({ code: 0, out: 'the answer\n', err })
  })

  it.each([
    [['--output-format', 'json'], /^\{"end":"done","text":"the answer"/],
    [['--json'], /^\{"end":"done","text":"the answer"/],
    [['--output-format', 'stream-json'], /"type":"run.ended","status":"done"/],
    [['--stream-json'], /"type":"run.ended","status":"done"/],
  ])('%j', async (flags, form) => {
    const { code, out } = await at.anode(['execute', 'what', ...model, ...flags])
    expect(code).toBe(0)
    expect(out.trim().split('\n').at(-1)).toMatch(form)
  })

  it('version', async () => {
    expect((await at.anode(['version'])).out).toBe((await at.anode(['--version'])).out)
  })
})

describe('gets a hint', () => {
  it.each(
    sampleRows(
      [
        [['what', 'is', 'this', 'repo'], 'did you mean anode "what is this repo"?'],
        [['say', 'the', '"$PRICE"'], `did you mean anode 'say the "$PRICE"'?`],
        [['README.md'], 'as a message: anode -- README.md; commands: execute'],
        [['chat'], 'anode execute'],
        [['init'], 'anode login'],
        [['update'], 'npm'],
        [['upgrade'], 'npm'],
        [['resume'], 'anode --resume'],
        [['sessions'], 'anode threads list'],
        [['studdy', 'x'], 'did you mean study?'],
        [['zzz'], 'commands: execute'],
        [['-C', '.', 'tools', 'list'], 'anode tools … -C'],
        [['--continue', 'study'], 'anode study … --continue'],
        [['execute', '--yes', 'x'], '--approval unrestricted'],
        [['execute', '--dry-run', 'x'], '--approval ask'],
        [['execute', '--dangerously-skip-permissions', 'x'], '--approval unrestricted'],
        [['execute', '-q', 'x'], 'unknown flag -q'],
        [['execute', '--json', '--stream-json', 'x'], 'exclude each other'],
        [['execute', '--output-format', 'json', '--stream-json', 'x'], 'exclude each other'],
        [['execute', '--output-format', 'text', '--json', 'x'], 'exclude each other'],
        [['execute', '--output-format', 'yaml', 'x'], 'must be one of'],
        [['execute', '--stream-json-input', 'x'], 'needs --stream-json'],
        [['execute', '--continue', '--resume', 'last', 'x'], 'exclude each other'],
        [['execute', 'x'], 'anode login'],
        [['fix what is broken'], 'no model is configured'],
        [['execute', 'x', ...model, '--allow-tool', 'nosuchtool'], 'nosuchtool: unknown tool'],
        [['execute', 'x', ...model, '--allow-tool', 'read,gerp'], 'did you mean grep'],
      ],
      3,
    ),
  )('%j', async (words, hint) => {
    const { code, out, err } = await at.anode(words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(hint)
    expect(err.trim().split('\n').length).toBeLessThanOrEqual(2)
  })

  it.each([['Read'], ['read,Grep'], ['re*'], ['Bash,']])(
    '--allow-tool %s accepts the name',
    async (names) => {
      expect((await at.anode(['execute', 'x', ...model, '--allow-tool', names])).code).toBe(0)
    },
  )
})

describe('tools use', () => {
  const use = (...words: string[]) => at.anode(['tools', 'use', ...words])
  it.each(
    sampleRows(
      [
        [['read', 'README.md']],
        [['read', 'path=README.md']],
        [['read', '--path', 'README.md']],
        [['read', '--path=README.md']],
        [['read', '--arg', 'path', 'README.md']],
        [['Read', 'README.md']],
        [['read', '--file_path', 'README.md', '--arg', 'path=README.md'], 2],
      ],
      2,
    ),
  )('%j', async (words, code = 0) => {
    const done = await use(...words)
    expect(done.code).toBe(code)
    if (code === 0) expect(done).toEqual({ code, out: '1\t# Hello\n2\t\n3\tsecond line\n', err: '' })
  })

  it.each(
    sampleRows(
      [
        [['read', 'README.md', '--start-line', '3'], /^3\tsecond line\n$/],
        [['read', 'README.md', 'start_line=3'], /^3\tsecond line\n$/],
        [['multi_read', 'README.md', 'ok.jsonl'], /===== ok.jsonl =====/],
        [['multi_read', 'README.md,ok.jsonl'], /===== ok.jsonl =====/],
        [['multi_read', '--arg', 'paths=["README.md"]'], /===== README.md =====/],
        [['grep', 'second', '--path', 'README.md'], /second line/],
        [['grep', '--pattern', '[s]econd', '--regex'], /second line/],
        [['todo_write', '--arg', 'todos=[]', '--allow-non-read'], /empty/],
        [['todo_write', '--arg', 'todos=[{"content":"a"}]', '--allow-non-read'], /1\. a/],
        [
          ['shell_command', '--json', '{"command":["echo","a b"],"workdir":"."}', '--allow-non-read'],
          /^a b\n/,
        ],
      ],
      2,
    ),
  )('%j', async (words, form) => {
    const { code, out } = await use(...words)
    expect(code).toBe(0)
    expect(out).toMatch(form)
  })

  it.each(
    sampleRows(
      [
        [['grep', 'a', 'README.md'], 2, '--arg path=README.md'],
        [['list_skills', 'x'], 2, 'unexpected word: x'],
        [['read', '--arg', 'path'], 2, 'expected KEY=VALUE'],
        [['read', '--pth', 'README.md'], 2, 'did you mean --path?'],
        [['read', '--outptu', 'json', 'README.md'], 2, 'did you mean --output?'],
        [['read', 'README.md', 'path=README.md'], 2, 'path is given twice'],
        ...['5', '"a"', 'null', '{}'].map((value): [string[], number, string] => [
          ['multi_read', 'README.md', '--arg-json', `paths=${value}`],
          2,
          'paths is given twice',
        ]),
        [['nosuch', 'README.md'], 2, 'unknown tool nosuch'],
        [['todo_write', '--arg', 'todos=[]'], 4, '--allow-non-read'],
        [['task_list', 'list'], 4, '--allow-non-read'],
        [['skill', 'simplify'], 4, '--allow-non-read'],
        [['task', 'look'], 4, '--allow-non-read'],
        [['oracle', 'why'], 2, 'no model is configured'],
      ],
      3,
    ),
  )('%j prints what to type', async (words, code, hint) => {
    const done = await use(...words)
    expect(done.code).toBe(code)
    expect(done.err + done.out).toContain(hint)
  })

  it('batch also rejects calls that change state', async () => {
    const calls = [
      { tool: 'todo_write', args: { todos: [] } },
      { tool: 'send_message', args: { to: 'a', message: 'b' } },
      { tool: 'read', args: { path: 'README.md' } },
    ]
    const input = calls.map((call) => JSON.stringify(call)).join('\n')
    const { code, out } = await at.anode(['tools', 'batch'], { input })
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ ok, error }) => [ok, error?.code])).toEqual([
      [false, 'denied'],
      [false, 'denied'],
      [true, undefined],
    ])
    expect(code).toBe(1)
  })
})

describe('a run whose calls could not be approved', () => {
  const calls = {
    edit: { name: 'edit_file', args: { path: 'README.md', old_str: 'Hello', new_str: 'Bye' } },
    bash: { name: 'bash', args: { command: 'npm publish' } },
    outside: { name: 'create_file', args: { path: '.git/hooks/pre-commit', content: 'x' } },
  }
  const run = async (names: (keyof typeof calls)[], flags: string[] = [], last = 'Fixed.') => {
    const lines = [{ calls: names.map((name) => calls[name]) }, { text: last }]
    writeFileSync(join(at.dir, 'calls.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
    return at.anode(['execute', 'fix it', '-m', 'script:calls.jsonl', ...flags])
  }

  it.each(
    sampleRows(
      [
        [['edit'], []],
        [['bash'], ['--approval', 'auto']],
        [['bash', 'bash', 'edit'], []],
        [['outside'], ['--approval', 'auto']],
        [['edit'], ['--json']],
        [['edit'], ['--stream-json']],
        [['edit'], ['--max-turns', '1']],
      ] as [(keyof typeof calls)[], string[]][],
      2,
    ),
  )('%j %j exits with code 4', async (names, flags) => {
    expect((await run(names, flags)).code).toBe(4)
  })

  it('prints the calls, their number, and the flag that allows them', async () => {
    const { out, err } = await run(['edit', 'bash', 'bash', 'outside'])
    expect(out).toBe('Fixed.\n')
    expect(err).toMatch(/ {2}edit_file README\.md\n {4}allowed by --approval \w+/)
    expect(err).toMatch(
      / {2}bash npm publish \(2 times\)\n {4}allowed by --approval unrestricted\n {4}or in "permissions": .*npm publish/,
    )
    const flag = /edit_file README\.md\n {4}allowed by (--approval \w+)/.exec(err)?.[1] as string
    expect((await run(['edit'], flag.split(' '))).code).toBe(0)
    at.put('README.md', '# Hello\n\nsecond line\n')
  })

  it.each(['json', 'stream-json'])('prints the same for programs: %s', async (format) => {
    const { out } = await run(['edit', 'edit'], ['--output-format', format])
    const last = JSON.parse(out.trim().split('\n').at(-1) as string)
    const told = format === 'json' ? last : last.payload
    expect(told).toMatchObject({ end: 'partial', reason: 'denied' })
    expect(told.unanswered).toMatchObject([{ tool: 'edit_file', subject: 'README.md', count: 2 }])
  })

  it('a deny rule counts as an answer', async () => {
    at.put('config.json', '{"permissions":[{"tool":"edit_file","action":"deny"}]}')
    const lines = [{ calls: [calls.edit] }, { text: 'I may not.' }]
    at.put('calls.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))
    const env = { ANODE_CONFIG: join(at.dir, 'config.json') }
    const { code, err } = await at.anode(['execute', 'x', '-m', 'script:calls.jsonl'], { env })
    expect(err).not.toContain('nobody')
    expect(code).toBe(0)
  })
})

describe('resuming', () => {
  it('last is the latest thread of an agent, and keeps its model and profile', async () => {
    await at.anode(['execute', 'first', ...model, '--profile', 'quick'])
    await at.anode(['tools', 'use', 'bash', '--arg', 'command=true', '--allow-non-read'])
    for (const words of [['--resume', 'last'], ['--continue'], ['-c']]) {
      const { code, out } = await at.anode(['execute', 'second', ...words, '--stream-json'])
      expect(code).toBe(0)
      const init = JSON.parse(out.split('\n')[0] as string).payload
      expect(init).toMatchObject({ model: 'script:ok.jsonl', profile: 'quick' })
    }
    at.put('other.jsonl', '{"text":"other"}')
    const told = await at.anode([
      'execute',
      'third',
      '-c',
      '-m',
      'script:other.jsonl',
      '--profile',
      'craft',
      '--stream-json',
    ])
    const init = JSON.parse(told.out.split('\n')[0] as string).payload
    expect(init).toMatchObject({ model: 'script:other.jsonl', profile: 'craft' })
  })
})

it('--stream-json contains the data of results', async () => {
  const spec = { root: 'a', elements: { a: { type: 'Heading', props: { text: 'Hi' } } } }
  const replies = [
    {
      calls: [
        { name: 'render', args: spec },
        { name: 'read', args: { path: 'README.md' } },
      ],
    },
    { text: 'shown' },
  ]
  at.put('data.jsonl', replies.map((line) => JSON.stringify(line)).join('\n'))
  const { out } = await at.anode(['execute', 'x', '-m', 'script:data.jsonl', '--stream-json'])
  const results = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'tool.result')
  expect(results[1].payload.data).toMatchObject({ path: 'README.md', total_lines: 3 })
  expect(results[0].payload).toMatchObject({ ok: true, data: { render_spec: spec, errors: [] } })
})
