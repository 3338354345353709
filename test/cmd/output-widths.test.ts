// The usual output of every command at 40, 80 and 120 columns, in colors that are visible on light and dark,
// and without colors.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { CommandOutput } from '../../cmd/anode/io/command-output.ts'
import { foldMessage } from '../../cmd/anode/io/command-output.ts'
import { reportFailure } from '../../cmd/anode/io/error-report.ts'
import { parseArgs } from '../../cmd/anode/parse-args.ts'
import type { CommandIo } from '../../cmd/anode/verb.ts'
import { countCells } from '../../internal/render/text/cell-width.ts'
import { type World, world } from '../support/anode.ts'
import { everyVerb } from '../support/commands.ts'
import { git } from '../support/repo.ts'

/** Commands whose output a user reads. The order matters: later commands show the data of earlier ones. */
const lines: readonly string[] = [
  'execute Write_it --model script:../writing.jsonl --approval edits',
  'study How_does_the_store_lock_its_files,_and_how_long? --workers 1 --in-process --model builtin/extract',
  'study list',
  'study status last',
  'study ask last How_long_is_a_lock_held? --in-process',
  'study report last',
  'study trace last',
  'study mailbox last',
  'study verify last',
  'study watch last',
  'research init --reset --skip-null-test --isolate off',
  'research run --description a_change_that_is_described_in_rather_many_words',
  'research log --status baseline',
  'research status',
  'research verify',
  'research resume',
  'research compare list',
  'prove true',
  'build --plan ../plan.yaml',
  'build list',
  'build status last',
  'build watch last',
  'review --model script:../findings.jsonl',
  'tools list',
  'tools show grep',
  'tools toolsets',
  'profiles list',
  'profiles show review',
  'skills list',
  'skills show code_review',
  'permissions list',
  'permissions explain bash --json {"command":"git_log"}',
  'permissions suggest',
  'permissions log --reviewer',
  'permissions forget 3 --yes',
  'mcp add memory -- npx -y @modelcontextprotocol/server-memory',
  'mcp list',
  'mcp trust --status',
  'mcp remove memory --yes',
  'trust --status',
  'threads list',
  'threads search written',
  'threads show last',
  'undo --dry-run',
  'cron add @daily --execute Look --name night',
  'cron list',
  'cron next 15_2_*_*_* --count 2',
  'cron history night',
  'runs list',
  'usage',
  'usage --by thread',
  'models',
  'models list --provider anthropic',
  'config set model script:../writing.jsonl',
  'config list',
  'config doctor',
  'config unset model --yes',
  'lsp list',
  'hooks list',
  'worker list',
  'plugins list',
  'doctor',
  'manual',
  'manual permissions',
]

/** Commands that are not tested here, each with its reason. */
const left: Readonly<Record<string, string>> = {
  worker: 'needs a server; its lines are those of a study',
  'study resume': 'draws what study draws',
  'study cancel': 'one line',
  'study eval': 'takes long; its tables are tested for widths of their own',
  'build resume': 'draws what build draws',
  'build retry': 'draws what build draws',
  'build cancel': 'one line',
  'build merge': 'one line',
  'build drop': 'one line',
  'build report': 'prints Markdown or JSON as it is',
  'build show': 'prints a patch as it is',
  'tools use': 'prints what a tool returns, as it is',
  'tools batch': 'prints JSON',
  render: 'draws what it is given, at widths that its own tests go through',
  'cron remove': 'one line',
  'cron enable': 'one line',
  'cron disable': 'one line',
  'cron run': 'ends with its process',
  'runs start': 'starts a process that outlives it; prints one line',
  'runs cancel': 'one line',
  'runs diff': 'prints a patch as it is',
  'runs merge': 'one line',
  'runs drop': 'one line',
  attach: 'wants a terminal and a run',
  serve: 'serves until it is stopped; prints one line',
  'serve start': 'serves until it is stopped; prints one line',
  'serve stop': 'one line',
  'serve token': 'prints a token',
  'mcp serve': 'speaks MCP on standard output',
  acp: 'speaks its protocol on standard output',
  'mcp show': 'needs a server',
  'mcp tools': 'needs a server',
  'mcp approve': 'needs a server',
  'mcp login': 'needs a server',
  'mcp logout': 'one line',
  'research auto': 'prints the lines of runs',
  'research aa': 'takes long; prints one line',
  'research final': 'takes long; prints one line',
  'research export': 'prints a path or JSON',
  'research finalize': 'prints one line',
  'research cpu': 'prints what the measured command prints',
  'harness record': 'prints what the command prints',
  'harness replay': 'prints what the command prints',
  'harness step': 'wants a recording; one line a step, folded as those of study trace',
  'harness inspect': 'wants a recording; prints short lines',
  'harness list': 'wants a recording; a table as that of runs list',
  'harness delete': 'one line',
  'threads export': 'writes Markdown as it is',
  'threads archive': 'one line',
  'threads delete': 'one line',
  'models check': 'asks an endpoint; prints one line',
  'models update': 'asks a server; prints one line',
  login: 'asks for a key',
  logout: 'one line',
  'config path': 'prints a path',
  'config schema': 'prints JSON',
  'hooks test': 'draws the table of hooks list, for an event of its own',
  'lsp doctor': 'starts every language server; draws the table of lsp list',
  completion: 'prints a script',
}

let w: World
const home = () => join(w.dir, '..')
const replies = (name: string, ...all: readonly object[]) =>
  writeFileSync(join(home(), `${name}.jsonl`), all.map((reply) => `${JSON.stringify(reply)}\n`).join(''))

beforeAll(() => {
  w = world()
  w.put(
    'doc/lock.md',
    '# Locks\n\nThe store locks its files with O_EXCL. A lock is held for 30 seconds at most.\n',
  )
  w.put('src/a.ts', 'export const a = 1\n')
  w.put('ms.txt', '100\n')
  w.put('.auto/measure.sh', 'echo "METRIC ms=$(cat ms.txt)"\n')
  const settings = { name: 'sum', primary_metric: 'ms', direction: 'lower', scope: ['ms.txt'] }
  w.put('.auto/config.json', JSON.stringify(settings))
  const words = `# Said\n\n${'A sentence with **bold** words and `code` in it. '.repeat(4)}\n`
  const table = '| name | what it is for |\n|---|---|\n| one | the first of a few rows |\n'
  const file = { name: 'create_file', args: { path: 'b.txt', content: 'written\n', overwrite: true } }
  replies('writing', { calls: [file] }, { text: `${words}\n${table}` })
  const title = 'The number is wrong wherever it is used'
  const detail = 'It has to be two, as the test of it says. '.repeat(4)
  const finding = { path: 'src/a.ts', line: 1, severity: 'high', title, detail }
  replies('findings', { text: `\`\`\`json\n${JSON.stringify({ findings: [finding] })}\n\`\`\`` })
  const task = { id: 'number', run: 'echo "export const b = 2" > src/b.ts', scope: ['src/**'] }
  const goal = 'Add a second number wherever the first one is exported, and keep the name of the first one'
  writeFileSync(join(home(), 'plan.yaml'), JSON.stringify({ goal, until: ['test -d src'], tasks: [task] }))
  git(w.dir, 'init', '-q', '-b', 'main')
  git(w.dir, 'config', 'user.name', 'A')
  git(w.dir, 'config', 'user.email', 'a@example.org')
  git(w.dir, 'add', '-A')
  git(w.dir, 'commit', '-qm', 'first')
  w.put('src/a.ts', 'export const a = 3\n')
  mkdirSync(w.data)
  vi.stubEnv('HOME', home())
})
afterAll(() => {
  vi.unstubAllEnvs()
  w.remove()
})

const verbs = await everyVerb()

const verbOf = (words: readonly string[]) =>
  verbs
    .filter(({ path }) => path.every((word, i) => words[i] === word))
    .reduce((a, b) => (b.path.length > a.path.length ? b : a))

/** Returns the output of a command on a terminal with this number of columns. */
async function draw(words: readonly string[], columns: number, more: Readonly<Record<string, string>>) {
  const { path, command } = verbOf(words)
  let written = ''
  const out = (write: (text: string) => string): CommandOutput => ({
    isTTY: true,
    columns,
    write(text, done) {
      written += write(text)
      done?.()
    },
    draw(text) {
      written += write(text)
    },
    stream: new PassThrough() as unknown as NodeJS.WriteStream,
  })
  const io: CommandIo = {
    stdin: new PassThrough().end() as unknown as NodeJS.ReadStream,
    piped: false,
    stdout: out((text) => text),
    stderr: out((text) => foldMessage(text, columns)),
    env: { PATH: process.env['PATH'], HOME: home(), ANODE_DATA_DIR: w.data, TERM: 'xterm-256color', ...more },
    cwd: w.dir,
    signal: new AbortController().signal,
  }
  try {
    await command.run(parseArgs(command, words.slice(path.length)), io)
  } catch (error) {
    // A command that fails the second time prints an error, and the error has a width too.
    expect(reportFailure(error, io, words), written).not.toBe(70)
  }
  return written
}

const paint = /\x1b\[([\d;:]*)m/g
/** Sequences that move the cursor or clear a line, so that text starts in a new row. */
const move = /\r|\x1b\[[\d;?]*[A-Za-z]/g

/** A line that a user copies is not wrapped, and neither is a word longer than the line. */
const mayPass = (line: string) =>
  /(^| {2,})(anode|npm|export|\* \* \* \* \*) /.test(line) || !/\S\s+\S/.test(line)

/** White and black, as text or background: white is invisible on a light screen, black on a dark one. */
const hidden = new Set(['30', '37', '40', '47', '90', '97', '100', '107'])

test.each(lines)('%s', { timeout: 60_000 }, async (line) => {
  const words = line.split(' ').map((word) => word.replaceAll('_', ' '))
  const bad: string[] = []
  for (const columns of [40, 80, 120]) {
    const isBare = columns === 80
    const text = await draw(words, columns, isBare ? { NO_COLOR: '1' } : { COLORTERM: 'truecolor' })
    const codes = [...text.matchAll(paint)].flatMap(([, code = '']) => code.split(/[;:]/))
    if (isBare && codes.length > 0) bad.push(`NO_COLOR: ${JSON.stringify(text)}`)
    bad.push(...codes.filter((code) => hidden.has(code)).map((code) => `color ${code}`))
    for (const row of text.replace(paint, '').replace(move, '\n').split('\n'))
      if (countCells(row) > columns && !mayPass(row)) bad.push(`${columns}: ${row}`)
  }
  expect(bad).toEqual([])
})

test('every command is tested or listed with a reason', () => {
  const drawn = new Set(lines.map((line) => verbOf(line.split(' ')).path.join(' ')))
  const all = verbs.map(({ path }) => path.join(' '))
  expect(all.filter((name) => drawn.has(name) === name in left)).toEqual([])
})
