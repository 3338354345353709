// `anode execute` through the built program: answers, flags, limits, refusals and exit codes.
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { root } from '../support/sources.ts'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

const script = (replies: readonly object[]) =>
  at.put('replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
const exec = (words: readonly string[], input = '') => at.anode(['execute', ...words], { input })
const scripted = (words: readonly string[], input = '') =>
  exec(['--model', 'script:replies.jsonl', ...words], input)
const read = (path: string) => ({ calls: [{ name: 'read', args: { path } }] })
const bash = (command: string) => ({ calls: [{ name: 'bash', args: { command } }] })
const threads = async () => JSON.parse((await at.anode(['threads', 'list', '--json'])).out)

describe('builtin/extract', () => {
  it('answers with citations that all resolve, and says that it is not a language model', async () => {
    at.put('src/gate.ts', '// Decides whether a call needs approval.\nexport function decide() {}\n')
    at.put('src/other.ts', 'export const colour = 1\n\n// approval of colours\n')
    const { code, out, err } = await exec([
      '--model',
      'builtin/extract',
      'Which function decides whether a call needs approval?',
    ])
    expect(code).toBe(0)
    expect(err).not.toMatch(/no model is configured/)
    const cited = [...out.matchAll(/^> (.*?) *\n(?:> .*\n)*\n(\S+):(\d+)(?:-\d+)?(?: {2}.*)?$/gm)]
    expect(cited.length).toBeGreaterThan(0)
    for (const [, quote = '', path, line] of cited) {
      const text = readFileSync(join(at.dir, path as string), 'utf8').split('\n')[Number(line) - 1]
      // comment markers are removed, and the most relevant line is bold
      expect(text).toContain(quote.replaceAll('**', ''))
    }
    expect(out).toContain('src/gate.ts:1')
  })

  it('answers a question without a configured model, and says so', async () => {
    at.put('src/gate.ts', '// Decides whether a call needs approval.\n')
    const { code, out, err } = await exec(['Which file decides whether a call needs approval?'])
    // each part of the question is answered separately, as in a study
    expect([0, 3]).toContain(code)
    expect(err).toContain('no model is configured: using builtin/extract')
    expect(out).toContain('src/gate.ts:1')
    const piped = await exec([], 'Where is approval decided?\n')
    expect([0, 3]).toContain(piped.code)
    expect([piped.out]).toEqual([expect.stringContaining('src/gate.ts')])
    // resuming that thread does not bypass the rejection
    const order = await exec(['--resume', 'last', 'Now rename it'])
    expect([order.code, order.out]).toEqual([2, ''])
  })

  it.each([
    [['Fix the failing test'], ''],
    [['Can you write a test?'], ''],
    [['Write a commit message for this'], 'diff --git a/a b/a\n'],
    [[], 'write a summary of the notes\n'],
    [['What does this change?'], 'diff --git a/a b/a\n+x\n'],
  ])('rejects %j without a configured model, before it stores anything', async (words, input) => {
    const { code, out, err } = await exec(words, input)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/no model is configured.*anode login/s)
    expect(err.trim().split('\n').length).toBeLessThanOrEqual(2)
    expect(await threads()).toEqual([])
  })
})

describe('a scripted run', () => {
  it('edits and tests, and leaves unrelated code unchanged', async () => {
    const fixture = join(root, 'test', 'fixtures', 'scripts', 'edit-and-test.jsonl')
    copyFileSync(fixture, join(at.dir, 'replies.jsonl'))
    const { code, out, err } = await scripted(['fix it', '--approval', 'unrestricted', '--stats'])
    expect(err).toMatch(
      /5 requests {2}6 calls {2}6700 fresh, 0 cache read, 0 cache write, 260 output {2}\$0\.0000/,
    )
    expect(out).toMatch(/^sum subtracted; sum-demo\/sum\.mjs:1 now adds/)
    expect(code).toBe(0)
    expect(existsSync(join(at.dir, 'sum-demo'))).toBe(false)
  })

  it('takes the task from standard input, and uses both when an argument is also set', async () => {
    script([{ text: 'ok' }])
    expect((await scripted([], 'from a pipe\n')).code).toBe(0)
    expect((await scripted(['look', 'here'], 'a diff\n')).code).toBe(0)
    const shown = await threads()
    expect(shown.map(({ title }: { title: string }) => title).sort()).toEqual(['from a pipe', 'look here'])
    const { out } = await at.anode(['threads', 'export', 'last', '--format', 'jsonl'])
    expect(out).toContain('look here\\n\\na diff')
  })

  it('prints one object with --json', async () => {
    script([{ text: 'the answer', usage: { in: 7, out: 3 } }])
    const { code, out, err } = await scripted(['go', '--json', '--run-label', 'nightly'])
    expect(code).toBe(0)
    expect(err).toBe('')
    expect(JSON.parse(out)).toMatchObject({
      end: 'done',
      text: 'the answer',
      model: 'script:replies.jsonl',
      denied: 0,
      spent: { input: 7, output: 3, requests: 1 },
    })
    expect((await at.anode(['threads', 'export', 'last', '--format', 'jsonl'])).out).toContain(
      '"label":"nightly"',
    )
  })

  it('archives the thread when the run is done, and not before', async () => {
    script([{ text: 'done' }])
    await scripted(['one', '--archive'])
    expect(await threads()).toEqual([])
    script([{ error: { status: 400, message: 'no' } }])
    await scripted(['two', '--archive'])
    expect(await threads()).toHaveLength(1)
  })

  it('offers only the tools of --allow-tool', async () => {
    script([bash('echo hi'), read('a.txt'), { text: 'done' }])
    at.put('a.txt', 'alpha\n')
    const { out } = await scripted([
      'go',
      '--allow-tool',
      're*',
      '--approval',
      'unrestricted',
      '--stream-json',
    ])
    expect(out).toContain('"tools":["read","render","read_thread","result","research_compare"]')
    expect(out).toContain('bash is not offered here: not among the tools asked for')
    expect(out).toContain('alpha')
  })
})

describe('limits', () => {
  it('at --max-turns prints one last response without tools, and exits with code 3', async () => {
    at.put('a.txt', 'alpha\n')
    script([read('a.txt'), read('a.txt'), { text: 'so far: alpha' }])
    const { code, out, err } = await scripted(['go', '--max-turns', '2'])
    expect(out).toBe('so far: alpha\n')
    expect(err).toMatch(/ended early: partial \(no turns left\)\nresume with: anode execute --resume sess_/)
    expect(code).toBe(3)
  })

  it('--timeout ends a slow call and a slow response with exit code 3', async () => {
    script([bash('sleep 60'), { text: 'never' }])
    const call = await scripted(['go', '--timeout', '3s', '--approval', 'unrestricted', '--json'])
    expect(JSON.parse(call.out)).toMatchObject({ end: 'limit', reason: 'time' })
    expect(call.code).toBe(3)
    script([{ text: 'never', delay_ms: 60_000 }])
    const reply = await scripted(['go', '--timeout', '2s', '--json'])
    expect(JSON.parse(reply.out)).toMatchObject({ end: 'limit', reason: 'time' })
    expect(reply.code).toBe(3)
  })

  it('--budget-tokens ends the run before the next request, with exit code 3', async () => {
    at.put('a.txt', 'alpha\n')
    script([{ ...read('a.txt'), text: 'I look.', usage: { in: 900, out: 200 } }, { text: 'never' }])
    const { code, out, err } = await scripted(['go', '--budget-tokens', '1000'])
    expect(out).toBe('I look.\n')
    expect(err).toMatch(/limit \(no tokens left\)/)
    expect(code).toBe(3)
  })

  it('ends the run after the same calls five times in a row', async () => {
    at.put('a.txt', 'alpha\n')
    script(Array.from({ length: 8 }, () => read('a.txt')))
    const { code, err } = await scripted(['go'])
    expect(err).toMatch(/partial \(the model repeated itself\)/)
    expect(code).toBe(3)
  })
})

describe('without an approver', () => {
  it('denies calls, tells the model, runs to the end and counts the denials', async () => {
    script([bash('touch made'), bash('touch made-too'), { text: 'I may not.' }])
    const { code, out, err } = await scripted(['go'])
    expect(out).toBe('I may not.\n')
    expect(err).toMatch(/not all was done: the effect of a denied call is missing/)
    expect(err).toMatch(
      / {2}bash touch made\n {4}allowed by --approval (?:auto|unrestricted)\n {4}or in "permissions": \{.*touch made/,
    )
    expect(code).toBe(4)
    expect(existsSync(join(at.dir, 'made'))).toBe(false)
  })

  const create = (path: string) => ({ calls: [{ name: 'create_file', args: { path, content: 'x\n' } }] })
  const denials: [name: string, calls: object[], code: number, ...flags: string[]][] = [
    ['a file that is made in another way', [bash('touch made'), create('made')], 0],
    ['a redirection whose file is made in another way', [bash('echo x > made'), create('made')], 0],
    ['a file that is not made', [bash('touch made'), create('other')], 4],
    ['a redirection before a read', [bash('echo x > made'), read('a.txt')], 4],
    ['a test run', [bash('npm test')], 0],
    ['a read outside', [bash('cat /etc/hostname')], 0],
    ['a stash before other work', [bash('git stash'), create('made')], 0],
    ['a commit, and nothing after it', [create('made'), bash('git commit -m x')], 4],
    [
      'a host',
      [
        { calls: [{ name: 'bash', args: { command: 'ls', needs: { network: ['h.example'] } } }] },
        create('made'),
      ],
      4,
    ],
    ['a test run under --on-ask fail', [bash('npm test')], 4, '--on-ask', 'fail'],
  ]
  it.each(denials)('a denial of %s', async (_, calls, expected, ...flags) => {
    at.put('a.txt', 'alpha\n')
    const allowed = { tool: 'create_file', action: 'allow' }
    at.put('../.config/anode/config.json', JSON.stringify({ permissions: [allowed] }))
    script([...calls, { text: 'So far.' }])
    const { code, err } = await scripted(['go', '--approval', 'ask', ...flags])
    expect([code, err]).toEqual([expected, expect.stringMatching(/denied because|approval was needed/)])
  })

  const needs: [name: string, needs: object, told: RegExp, named: string][] = [
    ['a host', { network: ['h.example'] }, /network: h\.example/, 'h.example'],
    ['two hosts', { network: ['h.example', 'i.example'] }, /h\.example.*i\.example/, 'h.example, i.example'],
    ['a host with a port', { network: ['h.example:8443'] }, /h\.example/, 'h.example:8443'],
  ]
  it.each(needs)('a denial of %s is shown to the model and to the user', async (_, needed, told, named) => {
    script([{ calls: [{ name: 'bash', args: { command: 'ls', needs: needed } }] }, { text: 'So far.' }])
    const { code, out, err } = await scripted(['go', '--approval', 'ask', '--stream-json'])
    expect([code, out]).toEqual([4, expect.stringMatching(told)])
    expect(out).toContain('bash was not allowed')
    expect(err + out).toContain(`ls, which needs ${named}`)
  })

  it('--on-ask fail ends the run at once with exit code 4', async () => {
    script([bash('touch made'), { text: 'never' }])
    const { code, out, err } = await scripted(['go', '--on-ask', 'fail'])
    expect(out).not.toContain('never')
    expect(err).toMatch(/an approval was needed, and no user could give it/)
    expect(code).toBe(4)
    expect(existsSync(join(at.dir, 'made'))).toBe(false)
  })
})

describe('mistakes are found before anything runs', () => {
  const cases: [string, string[], RegExp][] = [
    ['no key', ['hi', '--model', 'openai/gpt-5'], /OPENAI_API_KEY is not set/],
    ['unknown provider', ['hi', '--model', 'opnai/x'], /unknown model opnai\/x, did you mean openai/],
    ['unknown profile', ['hi', '--profile', 'quik'], /unknown profile quik\ndid you mean quick/],
    ['no task', [], /no task was given/],
    ['unknown flag', ['hi', '--max-turn', '3'], /max-turns/],
    ['no number', ['hi', '--max-turns', 'many'], /max-turns/],
    ['no length of time', ['hi', '--timeout', 'soon'], /soon is not a length of time/],
    ['no such script', ['hi', '--model', 'script:none.jsonl'], /none\.jsonl/],
    ['no such picture', ['hi', '--image', 'none.png'], /none\.png/],
    ['no picture', ['hi', '--image', 'a.txt'], /a\.txt is not a PNG/],
    ['no such directory', ['hi', '--add-dir', 'nowhere'], /--add-dir: nowhere does not exist/],
    ['no such choice', ['hi', '--on-ask', 'maybe'], /on-ask/],
    ['no positive turns', ['hi', '--max-turns', '0'], /max-turns/],
    ['no positive budget', ['hi', '--budget-tokens', '-5'], /budget-tokens/],
    ['no place to fork at', ['hi', '--fork', 'last@x'], /fork/],
  ]
  for (const [name, words, says] of cases) {
    it(`${name}: exit 2`, async () => {
      at.put('a.txt', 'alpha\n')
      const { code, out, err } = await exec(words)
      expect(err).toMatch(says)
      expect(out).toBe('')
      expect(code).toBe(2)
      expect(await threads()).toEqual([])
    })
  }

  it('rejects an unknown thread with exit code 2', async () => {
    const { code, err } = await exec(['hi', '--resume', 'sess_none'])
    expect(err).toMatch(/no thread named sess_none/)
    expect(code).toBe(2)
  })
})

describe('receipts', () => {
  const edit = { calls: [{ name: 'create_file', args: { path: 'a.txt', content: 'x\n' } }] }

  it('list changes and commands independently of the answer', async () => {
    script([edit, bash('exit 3'), { text: 'All tests pass.' }])
    const { code, out, err } = await scripted(['go', '--approval', 'unrestricted'])
    expect([code, out]).toEqual([0, 'All tests pass.\n'])
    expect(err).toContain('changed a.txt\nran exit 3 (exit 3)\n')
    script([read('a.txt'), { text: 'Read.' }])
    const { receipts } = JSON.parse((await scripted(['go', '--json'])).out)
    expect(receipts).toEqual({ read: ['a.txt'], changed: [], commands: [], calls: 1, succeeded: 1 })
  })

  it('say that nothing was done when the answer claims the opposite', async () => {
    script([{ text: 'I have fixed it.' }])
    expect((await scripted(['go'])).err).toContain('answered without using any tool')
    script([read('nowhere.txt'), { text: 'I have fixed it.' }])
    expect((await scripted(['go'])).err).toContain('its one call did not succeed')
  })
})
