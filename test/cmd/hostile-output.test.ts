// Every command on a real pseudo terminal, among files, settings and threads with terminal control sequences.
import { expect, it, vi } from 'vitest'
import { everyVerb } from '../support/commands.ts'
import { git } from '../support/repo.ts'
import { sampleRows } from '../support/sample.ts'
import { openScreenWorld, type ScreenWorld } from '../support/screen-program.ts'

vi.setConfig({ testTimeout: 600_000 })

/** Sequences that control a terminal or its text. `NAME` is a word that the output must still contain. */
const attacks = [
  '\x1b]52;c;UFdORUQ=\x07',
  '\x1b]0;PWNED\x07',
  '\x1b]8;;https://example.org/PWNED\x1b\\link\x1b]8;;\x1b\\',
  '\x1b[2J\x1b[H',
  '\x1b[8m',
  '\x1bc',
  '\x1bP+q544e\x1b\\',
  '\x9d0;PWNED\x9c',
  '\x9b2J',
  '\u202eevil\u202c',
  '\u2066evil\u2069',
  'a\u200bb\u2060c',
  '\u{e0041}\u{e0042}',
  '\x7f\b\x00'.replace('\x00', ''),
]
const hostile = `NAME${attacks.join('x')}END`
/** The same attacks for names that allow no control characters below U+0020. */
const inName = hostile.replace(/[\x00-\x1f\x7f/]/g, '')

/** Verbs that wait for a client, a user or a clock, or that serve. */
const endless = /^(serve|serve start|acp|mcp serve|attach|worker|login|session|mcp login|models update)$/

async function hostileWorld(): Promise<ScreenWorld> {
  const w = openScreenWorld([
    {
      text: `before ${hostile}`,
      calls: [{ tool: 'create_file', args: { path: `made-${inName}`, content: hostile } }],
    },
    { calls: [{ tool: 'bash', args: { command: `echo ${JSON.stringify(hostile)}`, description: hostile } }] },
    { text: `after ${hostile}` },
  ])
  git(w.dir, 'init', '-q')
  w.put(`file-${inName}.md`, `# ${hostile}\n\nThe lock is held for 30 seconds ${hostile}.\n`)
  w.put('AGENTS.md', hostile)
  w.put(
    'anode.json',
    JSON.stringify({
      [hostile]: hostile,
      model: hostile,
      agents: { [inName]: { description: hostile, prompt: hostile } },
      mcp: { servers: { [inName]: { command: hostile, args: [hostile] } } },
      permissions: [
        { tool: 'bash', command: hostile, action: 'deny' },
        { tool: hostile, action: 'deny' },
      ],
      lsp: { [inName]: { command: [hostile] } },
    }),
  )
  w.put('.agents/skills/bad/SKILL.md', `---\nname: ${inName}\ndescription: ${inName}\n---\n${hostile}\n`)
  w.put('.mcp.json', JSON.stringify({ mcpServers: { [inName]: { command: hostile } } }))
  w.put('.auto/config.json', JSON.stringify({ name: hostile, objective: hostile, command: hostile }))
  const task = `say ${hostile.replace('\x00', '')}`
  await w.anode(['execute', task, ...w.model, '--approval', 'edits'])
  await w.anode(['cron', 'add', '@daily', '--execute', task, '--name', 'night'])
  return w
}

/** Values for the required positional arguments of a verb. */
const own: Readonly<Record<string, readonly string[]>> = {
  'research cpu': ['--', 'printf', '%s', hostile],
  'tools use': ['read', '--arg', `path=file-${inName}.md`],
  'permissions explain': ['bash', '--json', JSON.stringify({ command: hostile })],
  'threads export': ['last'],
  'threads show': ['last'],
  'threads search': ['before'],
  'threads list': [],
  undo: ['--dry-run'],
  'config doctor': [],
  'config list': [],
  models: [],
  execute: [hostile],
}

/** Standard sequences and colors that the screens of Anode draw with. */
const drawn = /\x1b\[[?>=]?[0-9;]*[ABCDGHJKfhlmnrsu]|\x1b[78=>]|\x1b\[\d q|\x1b\[>?[0-9;]*[cu]/g
const steering =
  /[\x00-\x06\x08\x0b\x0c\x0e-\x1a\x1b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u{e0000}-\u{e007f}]/u

/** Returns the first sequence that could control the terminal, with the text around it. */
function steeringPlace(bytes: string): string | undefined {
  const conceal = /\x1b\[(\d+;)*8m|\x1b\[2J\x1b\[Hx/.exec(bytes)
  const found = conceal ?? steering.exec(bytes.replace(drawn, ''))
  if (!found) return undefined
  const text = conceal ? bytes : bytes.replace(drawn, '')
  return JSON.stringify(text.slice(Math.max(0, found.index - 40), found.index + 40))
}

it('writes no control sequence of the input to the terminal', async () => {
  const w = await hostileWorld()
  const verbs = (await everyVerb()).filter(({ path }) => !endless.test(path.join(' ')))
  const lines = verbs.flatMap(({ path, command }) => {
    const name = path.join(' ')
    const needed = (command.positionals ?? []).filter(({ required }) => required).length
    const usual = own[name] ?? Array.from({ length: needed }, () => 'last')
    const forms = [usual, needed > 0 ? Array.from({ length: needed }, () => hostile) : [`--${hostile}`]]
    return forms.map((words) => [...path, ...words])
  })
  const always = lines.filter((words) =>
    /^(undo|config|threads (show|export|search)|tools use|permissions explain)/.test(words.join(' ')),
  )
  const failures: string[] = []
  let printed = 0
  for (const words of new Set([...sampleRows(lines, 9), ...always])) {
    const screen = w.start(
      words.map((word) => word.replaceAll('\x00', '')),
      { columns: 200 },
    )
    const ended = screen.exit
    const limit = new Promise((resolve) => setTimeout(resolve, 15_000).unref())
    await Promise.race([ended, limit])
    screen.program.kill('SIGKILL')
    await ended
    const bytes = screen.bytes()
    if (bytes.includes('NAME')) printed++
    const place = steeringPlace(bytes)
    if (place) failures.push(`${words.slice(0, 2).join(' ')}: ${place}`)
  }
  expect(failures).toEqual([])
  // most commands have shown the hostile text
  expect(printed).toBeGreaterThan(5)
})
