// Attacks that need more than a call of a model: instructions, large workspaces, screens, and other users.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { program, type World, world } from '../support/anode.ts'
import { serveModel } from '../support/model-server.ts'
import { git } from '../support/repo.ts'
import { rounds } from '../support/sample.ts'
import { openScreenWorld } from '../support/screen-program.ts'
import { runCalls } from '../support/scripted-calls.ts'

vi.setConfig({ testTimeout: 240_000 })

let at: World
beforeEach(() => {
  at = world()
  onTestFinished(() => at.remove())
  git(at.dir, 'init', '-q', '-b', 'main')
})

/** Characters that a screen does not show and a model reads. */
const hidden = [
  '\u{e0041}\u{e0042}',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u2060',
  '\u00ad',
  '\u{e0101}',
  '\ufeff',
  '\u180e',
]
const isHidden = /[\u{e0000}-\u{e0fff}\u202a-\u202e\u2066-\u2069\u200b\u2060\u00ad\u180e]|(?<=.)\ufeff/u

it('R11: no hidden character reaches a model, from instructions or from any tool that reads', async () => {
  const line = `word ${hidden.map((char) => `a${char}b`).join(' ')} end`
  for (const name of [
    'AGENTS.md',
    'CLAUDE.md',
    'notes.md',
    'sub/AGENTS.md',
    'page.html',
    `odd${hidden[3]}name.md`,
  ])
    at.put(name, `# ${line}\n\n${line}\n`)
  at.put('.agents/skills/one/SKILL.md', `---\nname: one\ndescription: ${line}\n---\n${line}\n`)
  const calls = [
    { name: 'read', args: { path: 'notes.md' } },
    { name: 'multi_read', args: { paths: ['notes.md', 'CLAUDE.md'] } },
    { name: 'grep', args: { pattern: 'word' } },
    { name: 'glob', args: { pattern: '**/*.md' } },
    { name: 'finder', args: { query: 'word end', mode: 'passage' } },
    { name: 'finder', args: { query: 'word', mode: 'text' } },
    { name: 'finder', args: { query: 'odd name', mode: 'files' } },
    { name: 'read_document', args: { path: 'page.html' } },
    { name: 'skill', args: { name: 'one' } },
    { name: 'read', args: { path: 'sub/AGENTS.md' } },
    { name: 'bash', args: { command: 'cat notes.md; ls' } },
    { name: 'edit_file', args: { path: 'notes.md', old_str: 'word nothing', new_str: 'x' } },
  ]
  const served = await serveModel((_, n) => (n === 0 ? { calls } : { text: 'done' }))
  onTestFinished(() => served.close())
  at.put(
    '../.config/anode/config.json',
    JSON.stringify({
      providers: { me: { baseUrl: served.url, model: 'me', window: 200_000 } },
      model: 'me/me',
    }),
  )
  const { err } = await at.anode(['execute', 'go', '--approval', 'auto'])
  expect(served.requests.length).toBeGreaterThan(1)
  for (const { body } of served.requests) {
    const sent = JSON.stringify(body)
    const place = isHidden.exec(sent)
    expect(place && JSON.stringify(sent.slice(Math.max(0, place.index - 200), place.index + 40))).toBe(null)
  }
  expect(JSON.stringify(served.requests.at(-1)?.body)).toContain('\\\\u{e0041}')
  expect(err).toContain('hidden characters in AGENTS.md')
})

it('R14: a directory that was not searched shows no secret without a question, and the run says so', async () => {
  const count = rounds(60, 4_100)
  for (let i = 0; i < count; i++) mkdirSync(join(at.dir, `d${String(i).padStart(5, '0')}`))
  at.put('z/deep/.env', 'TOKEN=text-of-the-user\n')
  git(at.dir, 'init', '-q', 'z/deep/nested')
  if (count < 4_000) at.put('../.config/anode/config.json', JSON.stringify({ shell: { searchLimit: 50 } }))
  at.put('run.sh', 'cat z/deep/.env; git -C z/deep/nested config core.fsmonitor ./x\n')
  const { results, err } = await runCalls(
    at,
    [{ name: 'bash', args: { command: 'sh run.sh' } }],
    ['--approval', 'auto'],
  )
  expect(results[0]?.text).not.toContain('text-of-the-user')
  expect(`${err}${results[0]?.asked?.join()}`).toMatch(/not searched|were searched/)
  expect(readFileSync(join(at.dir, 'z/deep/nested/.git/config'), 'utf8')).not.toContain('fsmonitor')
})

it('R18: a file of one line without an end costs finder no more than a few times its size', async () => {
  const size = rounds(40, 200) * 1_000_000
  writeFileSync(join(at.dir, 'bundle.js'), Buffer.alloc(size, 'function x(){return needle};'))
  const peaks: Record<string, number> = {}
  for (const mode of ['text', 'passage', 'symbols', 'files']) {
    const words = ['tools', 'use', 'finder', '--json', JSON.stringify({ query: 'needle', mode })]
    peaks[mode] = await peakMemory(words)
  }
  // an empty run takes about 130 MB
  for (const [mode, peak] of Object.entries(peaks)) expect([mode, peak < 320]).toEqual([mode, true])
})

/** Runs the program, and returns the most memory that it had, in MB. */
function peakMemory(words: readonly string[]): Promise<number> {
  const env = { PATH: process.env.PATH, HOME: join(at.dir, '..'), ANODE_DATA_DIR: at.data }
  const child = spawn(process.execPath, [program, ...words], { cwd: at.dir, env, stdio: 'ignore' })
  let peak = 0
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // it has ended
    }
  }, 20)
  return new Promise((resolve) =>
    child.on('close', () => {
      clearInterval(timer)
      resolve(peak)
    }),
  )
}

/** Words of a command that read as another one. */
const imitations: Readonly<Record<string, string>> = {
  './d\u0435ploy.sh': 'U+0435',
  './dеplоy.sh': 'U+0435',
  'git st\u0430tus': 'U+0430',
  './de\u0301ploy\u0336.sh': 'combining marks',
  './\u05d0\u05d1\u05d2.sh x': 'U+05D0|right',
  './\uff44\uff45ploy.sh': 'U+FF44',
  './d\u2024ploy.sh': 'U+2024',
}

it('R19: an approval marks letters that imitate others', async () => {
  const unmarked: string[] = []
  for (const [command, mark] of Object.entries(imitations)) {
    const w = openScreenWorld([{ calls: [{ name: 'bash', args: { command } }] }, { text: 'done' }])
    const screen = w.start(['execute', 'go', ...w.model, '--approval', 'ask', '--sandbox', 'off'], {
      columns: 120,
      rows: 40,
    })
    await screen.until(/Esc denies/)
    const [first = ''] = mark.split('|')
    const text = screen.screen()
    if (!mark.split('|').some((one) => text.includes(one))) unmarked.push(`${command} (${first}): ${text}`)
    screen.type('\x1b')
    await screen.exit
  }
  expect(unmarked).toEqual([])
})

it('R20: a directory of PATH that cannot be entered is skipped', async () => {
  const closed = join(at.dir, '..', 'closed')
  mkdirSync(closed)
  const base = join(at.dir, '..')
  const drop =
    process.getuid?.() === 0 ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'] : []
  writeFileSync(
    join(base, 'calls.jsonl'),
    `${JSON.stringify({ calls: [{ name: 'bash', args: { command: 'echo it-ran' } }] })}\n{"text":"done"}\n`,
  )
  if (drop.length > 0) {
    execFileSync('chown', ['-R', '65534:65534', base])
    execFileSync('chown', ['0:0', closed])
  }
  chmodSync(closed, 0)
  onTestFinished(() => chmodSync(closed, 0o700))
  const words = [
    program,
    'execute',
    'go',
    '--model',
    'script:../calls.jsonl',
    '--stream-json',
    '--approval',
    'auto',
  ]
  const env = { PATH: `${closed}/bin:${closed}:${process.env.PATH}`, HOME: base, ANODE_DATA_DIR: at.data }
  const [file = '', ...args] = [...drop, process.execPath, ...words]
  const out = execFileSync(file, args, {
    cwd: at.dir,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  expect(out).toContain('it-ran')
  expect(out).not.toContain('permission check failed')
})

it('R12: a stream of events on a terminal has no byte that steers it', async () => {
  const steering = ['\x1b]52;c;UFdORUQ=\x07', '\x9d0;PWNED\x9c', '\x9b2J', '\x1b[2J', '\u202e', '\u{e0041}']
  const text = `NAME${steering.join('x')}`
  const w = openScreenWorld([
    { text, calls: [{ name: 'bash', args: { command: `printf '%s' ${JSON.stringify(text)}` } }] },
    { text },
  ])
  const screen = w.start(['execute', `say ${text}`, ...w.model, '--stream-json', '--approval', 'auto'], {
    columns: 200,
  })
  await screen.exit
  const bytes = screen.bytes()
  expect(bytes).toContain('NAME')
  expect(/[\x1b\x07\x80-\x9f\u202e]|\u{e0041}/u.exec(bytes.replace(/\x1b\[[?>]?[0-9;]*[a-zA-Z]/g, ''))).toBe(
    null,
  )
  expect(bytes).not.toContain('\x1b[2J')
})
