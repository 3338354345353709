// The tools commands of the built program: output, errors, exit codes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { root } from '../support/sources.ts'
import { typed } from '../support/typed.ts'

let w: World
beforeAll(() => {
  w = world()
  w.put('README.md', '# Hello\n\nsecond line\n')
  w.put('src/a.ts', 'export const permission = 1\n')
  w.put('.env', 'KEY=secret\n')
})
afterAll(() => w.remove())

const use = (words: string[], more = {}) => w.anode(['tools', 'use', ...words], more)

describe('tools use', () => {
  it('prints exactly the text that a model gets', async () => {
    const { code, out, err } = await use(['read', '--arg', 'path=README.md'])
    expect({ code, out, err }).toEqual({ code: 0, out: '1\t# Hello\n2\t\n3\tsecond line\n', err: '' })
  })

  it('prints one JSON object with --output json', async () => {
    const { out } = await use(['read', '--json', '{"path":"README.md"}', '--output', 'json'])
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      tool: 'read',
      text: expect.stringContaining('Hello'),
      duration_ms: expect.any(Number),
    })
  })

  it('reads arguments by their types, from files and from standard input', async () => {
    expect((await use(['read', '--arg', 'path=README.md', '--arg', 'start_line=3'])).out).toBe(
      '3\tsecond line\n',
    )
    expect((await use(['multi_read', '--arg', 'paths=README.md,src/a.ts'])).out).toContain(
      '===== src/a.ts =====',
    )
    w.put('args.json', '{"path":"README.md","end_line":1}')
    expect((await use(['read', '--json', '@args.json'])).out).toMatch(/^1\t# Hello\n/)
    expect((await use(['read', '--json', '-'], { input: '{"path":"README.md","end_line":1}' })).out).toMatch(
      /^1\t# Hello\n/,
    )
  })

  it.each<[string, string[], number, string]>([
    ['an unknown tool', ['raed'], 2, 'nearest: read'],
    ['an unknown parameter', ['read', '--arg', 'pth=x'], 2, 'did you mean path?'],
    [
      'a wrong type and an absence at once',
      ['read', '--arg', 'start_line=x'],
      2,
      'missing required parameter path',
    ],
    [
      'the same key twice',
      ['read', '--json', '{"path":"a"}', '--arg', 'path=b'],
      2,
      'given by --json and by --arg',
    ],
    ['bad JSON', ['read', '--json', '{'], 2, 'not valid JSON'],
    ['an unknown flag', ['read', '--arg', 'path=x', '--profle', 'x'], 2, 'did you mean --profile?'],
    ['an unknown profile', ['read', '--arg', 'path=x', '--profile', 'reviw'], 2, 'review'],
    ['a file that is not there', ['read', '--arg', 'path=gone.txt'], 1, 'gone.txt'],
    ['a path outside', ['read', '--arg', 'path=../../etc/passwd'], 1, 'outside'],
    ['a sensitive path', ['read', '--arg', 'path=.env'], 4, 'sensitive'],
    [
      'a write without the flag',
      ['create_file', '--arg', 'path=x.txt', '--arg', 'content=hi'],
      4,
      '--allow-non-read',
    ],
  ])('reports the error of %s', async (_, words, code, text) => {
    const done = await use(words)
    expect(done.code).toBe(code)
    expect(done.err).toContain(text)
    expect(done.out).toBe('')
    expect(done.err).not.toMatch(/\n\s+at /)
  })

  it('runs writing tools with the flag, and records the call', async () => {
    expect(
      (await use(['create_file', '--allow-non-read', '--json', '{"path":"x.txt","content":"hi\\n"}'])).code,
    ).toBe(0)
    expect(readFileSync(join(w.dir, 'x.txt'), 'utf8')).toBe('hi\n')
    const { out } = await w.anode(['threads', 'list', '--json'])
    expect(JSON.parse(out)[0].title).toBe('direct call of create_file')
  })

  it('applies deny rules despite the flag', async () => {
    const config = join(w.dir, '..', 'deny.json')
    writeFileSync(
      config,
      '{"permissions":[{"tool":"create_file","action":"deny","path":"secret/**","reason":"not there"}]}',
    )
    const words = ['create_file', '--allow-non-read', '--json', '{"path":"secret/a","content":""}']
    const done = await use(words, { env: { ANODE_CONFIG: config } })
    expect(done.code).toBe(4)
    expect(done.err).toContain('not there')
  })

  it('stores the full text of a truncated result for the command result', async () => {
    const cut = await use([
      'bash',
      '--allow-non-read',
      '--json',
      '{"command":"seq 1 5000"}',
      '--output',
      'json',
    ])
    const { text, truncated } = JSON.parse(cut.out)
    expect(truncated.lines).toBeGreaterThan(4000)
    const call = /"call_id": "([^"]+)"/.exec(text)?.[1] as string
    const page = await use(['result', '--arg', `call_id=${call}`, '--arg', 'offset=2500', '--arg', 'limit=2'])
    expect(page.out).toContain('2501\n')
  })

  it('ends quietly when the reader closes the pipe', async () => {
    const { spawnSync } = await import('node:child_process')
    const line = `node ${JSON.stringify(join(process.cwd(), 'dist', 'anode.cjs'))} tools use bash --allow-non-read --arg 'command=seq 1 9000' | head -1`
    const done = spawnSync('bash', ['-c', line], {
      cwd: w.dir,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: w.dir, ANODE_DATA_DIR: w.data },
    })
    expect(done.stdout).toBe('1\n')
    expect(done.stderr).toBe('')
  })
})

it('finding nothing is not a failure, and JSON shows it', async () => {
  const done = await w.anode(['tools', 'use', 'grep', '--arg', 'pattern=nowhere-zz', '--output', 'json'])
  expect(done.code).toBe(0)
  expect(JSON.parse(done.out)).toMatchObject({ ok: true, data: { files: 0, matches: [] } })
})

describe('tools list and show', () => {
  it('lists the tools of a profile, and why the others are hidden', async () => {
    const names = (out: string) => JSON.parse(out).map((row: { name: string }) => row.name)
    const review = names((await w.anode(['tools', 'list', '--profile', 'review', '--json'])).out)
    expect(review).toContain('read')
    expect(review).not.toContain('bash')
    const all = JSON.parse((await w.anode(['tools', 'list', '--profile', 'review', '--all', '--json'])).out)
    expect(all.find((row: { name: string }) => row.name === 'bash').hidden).toContain('review')
  })

  it('shows a contract as JSON', async () => {
    const { out } = await w.anode(['tools', 'show', 'edit_file', '--json'])
    expect(JSON.parse(out).inputSchema.properties.path.type).toBe('string')
  })

  it('shows text that fits the terminal and a command to try, and in JSON the call', async () => {
    w.put('README.md', 'hello\n')
    const { screen } = await typed(w, ['tools', 'show', 'read'], '')
    const prose = screen.split('parameter')[0] ?? ''
    for (const line of prose.split(/\r?\n/)) expect(line.length, line).toBeLessThanOrEqual(80)
    const { out } = await w.anode(['tools', 'show', 'read'])
    expect(out).not.toContain('TOOL:')
    const [, line = ''] = /Example:\n {2}(anode tools use .*)\n/.exec(out) ?? []
    const [, json = ''] = /--json '(.*)'$/.exec(line) ?? []
    const done = await w.anode(['tools', 'use', 'read', '--json', json, '--output', 'json'])
    expect(JSON.parse(done.out).data.content).toBe('hello')
    const shown = JSON.parse((await w.anode(['tools', 'show', 'read', '--json'])).out)
    expect(shown.call).toMatch(/^TOOL: \{"name":"read","args":\{/)
  })

  it('has an example for every tool that matches the schema of the tool', async () => {
    const { nativeTools } = await import('../../internal/tools/index.ts')
    const { parseArguments } = await import('../../internal/tool/parse.ts')
    for (const load of Object.values(nativeTools)) {
      const tool = await load()
      expect(parseArguments(tool.input, tool.example), tool.name).toMatchObject({ ok: true, notes: [] })
    }
  })
})

describe('tools batch', () => {
  it('answers line by line in order, bad lines too', async () => {
    const input =
      '{"tool":"glob","args":{"pattern":"**/*.ts"},"id":7}\nnonsense\n{"tool":"read","args":{"path":"README.md"}}\n'
    const { code, out } = await w.anode(['tools', 'batch'], { input })
    const rows = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows.map((row) => [row.tool, row.ok, row.id])).toEqual([
      ['glob', true, 7],
      ['', false, undefined],
      ['read', true, undefined],
    ])
    expect(code).toBe(1)
  })
})

describe('the program', () => {
  it.each<[string[], number, string, string]>([
    [['--version'], 0, '0.1.0', ''],
    [['--help'], 0, 'tools        list, show and call', ''],
    [['tols'], 2, '', 'did you mean tools'],
    [['tools', 'lst'], 2, '', 'did you mean list'],
    [['tools'], 0, 'tools use NAME', ''],
    [['tools', 'use', '--help'], 0, '--allow-non-read', ''],
    [['-C', '/nowhere-at-all', 'tools'], 2, '', 'unknown command -C'],
    [['tools', 'list', '-C', '/nowhere-at-all'], 2, '', 'name a directory that exists'],
    [['config', 'doctor'], 0, 'Config doctor passed.', ''],
    [['profiles', 'list'], 0, 'craft (default)', ''],
    [['skills', 'list'], 0, 'security_review', ''],
    [['permissions', 'list'], 0, '', 'No rules'],
    [['trust', '--status'], 0, 'brings nothing', ''],
    [['completion', 'bash'], 0, '_anode_yargs_completions', ''],
    [['--get-yargs-completions', 'anode', 'to'], 0, 'tools', ''],
  ])('%j', async (words, code, out, err) => {
    const done = await w.anode(words)
    expect(done.code).toBe(code)
    expect(done.out).toContain(out)
    expect(done.err).toContain(err)
  })

  it('explains decisions with exit codes for scripts', async () => {
    const explain = (json: string) =>
      w.anode(['permissions', 'explain', 'bash', '--json', json, '--approval', 'auto'])
    expect((await explain('{"command":"ls"}')).code).toBe(0)
    expect((await explain('{"command":"git log $(id)"}')).code).toBe(10)
  })

  it('reports in one line that the data directory cannot be written', async () => {
    w.put('blocked', '')
    const done = await use(['todo_write', '--allow-non-read', '--json', '{"todos":[]}'], {
      env: { ANODE_DATA_DIR: join(w.dir, 'blocked') },
    })
    expect(done.code).toBe(2)
    expect(done.err.trim().split('\n').length).toBeLessThanOrEqual(2)
  })
})

describe('a signal', () => {
  it.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s ends a call and a batch with exit code %i',
    async (signal, code) => {
      const words = [
        ['tools', 'use', 'bash', '--allow-non-read', '--arg', 'command=echo up; sleep 60'],
        ['tools', 'use', 'bash', '--allow-non-read', '--output', 'json', '--arg', 'command=sleep 60'],
      ]
      for (const args of words) {
        const child = spawn(process.execPath, [join(root, 'dist', 'anode.cjs'), ...args], {
          cwd: w.dir,
          env: { PATH: process.env['PATH'], HOME: w.dir, ANODE_DATA_DIR: w.data },
          stdio: 'ignore',
        })
        // the command has started once its parent has recorded it
        while (!noted(w.data)) await sleep(50)
        child.kill(signal)
        const [ended] = (await once(child, 'exit')) as [number | null]
        expect(ended).toBe(code)
      }
    },
    60_000,
  )
})

/** Whether a running process has recorded a child process. */
function noted(data: string): boolean {
  const base = join(data, 'run')
  if (!existsSync(base)) return false
  return readdirSync(base).some((run) =>
    readdirSync(join(base, run)).some((name) => name.startsWith('child')),
  )
}
