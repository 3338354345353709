// The adapters of the toolset researchharness: the native call of each, and its result, on a real tree.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDirectCalls } from '../../../../internal/service/calls/direct-call.ts'
import { adaptersOf } from '../../../../internal/toolset/resolve-adapter.ts'
import { researchharness } from '../../../../internal/toolset/sets/researchharness.ts'
import { type AdapterCase, compareAdapter } from '../../../support/adapter-session.ts'
import { scratchWith } from '../../../support/scratch.ts'
import { root } from '../../../support/sources.ts'

const start = { name: 'TerminalStart', args: {} }
/** Types a command that prints six letters, and reads `read` of them. */
const writeLetters = (read: number) => ({
  name: 'TerminalWrite',
  args: { session_id: 'term_1', input: 'echo abcdef', yield_time_ms: 5_000, max_output_chars: read },
})
/** Returns as soon as `count` characters are available, on any machine. */
const untilShown = (count: number) => ({
  ...{ session_id: 'term_1', yield_time_ms: 30_000, max_output_chars: count },
})
const hunk = (from: number, old: string, to: string) => `@@ -${from},1 +${from},1 @@\n-${old}\n+${to}\n`

const edits = (command: string, path: string, more: Record<string, unknown> = {}) => ({
  ...{ command, path: `TREE/${path}` },
  ...more,
})
const editor = (command: string, path: string, more?: Record<string, unknown>) => ({
  name: 'str_replace_editor',
  args: edits(command, path, more),
})
const editNotes = editor('str_replace', 'notes.txt', { old_str: 'two', new_str: '2' })

const cases: Readonly<Record<string, readonly AdapterCase[]>> = {
  Glob: [
    { case: 'usual', args: { pattern: '**/*.ts' } },
    { case: 'edge: ignored, hidden and folders', args: { pattern: '*', include_dirs: true } },
    { case: 'edge: below a folder', args: { pattern: '*.ts', path: 'src' } },
    { case: 'refusal: nothing given', args: {} },
    { case: 'cut', args: { pattern: '**/*', max_results: 2 } },
  ],
  Grep: [
    { case: 'usual', args: { pattern: 'ret.*3' } },
    {
      case: 'edge: a file, case counts',
      args: { pattern: 'CONST', path: 'src/main.ts', case_sensitive: true },
    },
    { case: 'edge: a glob', args: { pattern: 'const', glob: '**/b.ts' } },
    { case: 'refusal: pattern', args: { pattern: '(' } },
    { case: 'cut: lines', args: { pattern: 'line', max_results: 2 } },
    { case: 'cut: characters', args: { pattern: 'line', max_chars: 40 } },
  ],
  Read: [
    { case: 'usual', args: { path: 'notes.txt' } },
    { case: 'edge: a part', args: { path: 'notes.txt', start_line: 2, end_line: 2 } },
    { case: 'edge: past the end', args: { path: 'notes.txt', start_line: 9 } },
    { case: 'edge: nothing in it', args: { path: 'empty.txt' } },
    { case: 'edge: 400 lines', args: { path: 'long.txt' } },
    { case: 'refusal: binary', args: { path: 'blob.bin' } },
    { case: 'refusal: a picture', args: { path: 'dot.png' } },
    { case: 'refusal: a secret', args: { path: '.env' } },
    { case: 'refusal: line', args: { path: 'notes.txt', start_line: 0 } },
    { case: 'cut', args: { path: 'notes.txt', max_chars: 6 } },
  ],
  ReadPDF: [
    { case: 'usual', args: { path: 'paper.pdf' } },
    { case: 'edge: no picture listed', args: { path: 'paper.pdf', max_image_paths: 0 } },
    { case: 'refusal: no PDF', args: { path: 'notes.txt' } },
    { case: 'refusal: not there', args: { path: 'nope.pdf' } },
    { case: 'cut', args: { path: 'paper.pdf', max_chars: 40, max_image_paths: 0 } },
  ],
  ReadImage: [
    { case: 'usual', args: { path: 'dot.png' } },
    { case: 'edge: the name says another kind', args: { path: 'dot.jpg' } },
    { case: 'refusal: text', args: { path: 'notes.txt' } },
    { case: 'refusal: not there', args: { path: 'nope.png' } },
  ],
  Write: [
    { case: 'usual', args: { path: 'a/b.txt', content: 'x\n' } },
    { case: 'edge: replaced', args: { path: 'notes.txt', content: 'x\n', overwrite: true } },
    { case: 'refusal: there already', args: { path: 'notes.txt', content: 'x\n' } },
    { case: 'refusal: a history', args: { path: '.git/config', content: '' } },
  ],
  Edit: [
    { case: 'usual', args: { path: 'notes.txt', patch: hunk(1, 'one', '1') + hunk(3, 'three', '3') } },
    { case: 'edge: the number is wrong', args: { path: 'notes.txt', patch: hunk(40, 'two', '2') } },
    {
      case: 'refusal: out of order',
      args: { path: 'notes.txt', patch: hunk(3, 'three', '3') + hunk(1, 'one', '1') },
    },
    { case: 'refusal: no hunk', args: { path: 'notes.txt', patch: 'two' } },
    { case: 'refusal: nothing like it', args: { path: 'notes.txt', patch: hunk(1, 'six', '6') } },
    { case: 'refusal: no change', args: { path: 'notes.txt', patch: hunk(1, 'one', 'one') } },
  ],
  Bash: [
    { case: 'usual', args: { command: 'echo out; echo err >&2' } },
    { case: 'edge: nothing, in a folder', args: { command: 'true', workdir: 'src' } },
    { case: 'refusal: exit', args: { command: 'echo a; exit 3' } },
    { case: 'refusal: timeout', args: { command: 'echo a; sleep 5', timeout: 0.5 } },
    { case: 'refusal: sudo', args: { command: 'env sudo ls' } },
    { case: 'edge: no UTF-8', args: { command: "printf 'a\\377b'" } },
    { case: 'edge: binary', args: { command: 'head -c 9 /dev/zero' } },
    { case: 'refusal: a secret', args: { command: 'cat .env' } },
    { case: 'cut: equal lines', args: { command: 'yes | head -50' } },
  ],
  WebSearch: [
    { case: 'usual', args: { query: 'locks' }, web: true },
    { case: 'edge: many words', args: { query: 'w '.repeat(60).trim() }, web: true },
    { case: 'refusal: no query', args: {} },
    { case: 'refusal: a list of queries', args: { query: ['a', 'b'] } },
    { case: 'cut: more than are listed', args: { query: 'many' }, web: true },
  ],
  ScholarSearch: [
    { case: 'usual', args: { query: 'open access' }, web: true },
    { case: 'edge: nothing found', args: { query: 'nothing' }, web: true },
    { case: 'refusal: no query', args: {} },
    { case: 'refusal: a list of queries', args: { query: ['a', 'b'] } },
    { case: 'cut: more than are listed', args: { query: 'many' }, web: true },
  ],
  WebFetch: [
    { case: 'usual', args: { url: 'SITE/text' }, web: true },
    { case: 'edge: a window', args: { url: 'SITE/text', start_line: 2, end_line: 2 }, web: true },
    { case: 'edge: past the end', args: { url: 'SITE/text', start_line: 9 }, web: true },
    { case: 'edge: only scripts', args: { url: 'SITE/empty' }, web: true },
    { case: 'refusal: not there', args: { url: 'SITE/none' }, web: true },
    { case: 'cut', args: { url: 'SITE/text', max_chars: 5 }, web: true },
    { case: 'refusal: above the limit', args: { url: 'https://example.com', max_chars: 20_000 } },
    {
      case: 'refusal: above a limit of its own',
      args: { url: 'https://example.com', max_chars: 200 },
      env: { WEBFETCH_MAX_CHARS: '100' },
    },
    { case: 'refusal: window', args: { url: 'https://example.com', start_line: 3, end_line: 2 } },
    { case: 'refusal: scheme', args: { url: 'ftp://example.com' } },
  ],
  AskUser: [
    { case: 'usual', args: { question: 'Which one?' }, reply: { text: 'the second' } },
    { case: 'edge: dismissed', args: { question: 'Which one?' }, reply: 'dismissed' },
    { case: 'edge: nobody is here', args: { question: 'Which one?', context: 'there are two' } },
    { case: 'refusal: no question', args: {} },
  ],
  TerminalStart: [
    { case: 'usual', args: {} },
    { case: 'edge: a folder and another shell', args: { cwd: 'src', shell: 'sh', rows: 1, cols: 1_000 } },
    { case: 'refusal: no such shell', args: { shell: 'nosuchshell' } },
    { case: 'refusal: rows', args: { rows: 0 } },
    { case: 'refusal: no such folder', args: { cwd: 'nope' } },
  ],
  TerminalWrite: [
    {
      case: 'usual',
      before: [start, { name: 'TerminalWrite', args: { session_id: 'term_1', input: 'A=blue; cd src' } }],
      args: { session_id: 'term_1', input: 'echo $A; basename "$PWD"', yield_time_ms: 500 },
    },
    {
      case: 'edge: half a line',
      before: [
        { name: 'TerminalWrite', args: { session_id: 'term_1', input: 'echo ha', append_newline: false } },
      ],
      args: { session_id: 'term_1', input: 'lf', yield_time_ms: 500 },
    },
    { case: 'refusal: sudo', args: { session_id: 'term_1', input: 'sudo ls' } },
    { case: 'refusal: unknown', args: { session_id: 'term_9', input: 'ls' } },
    { case: 'refusal: a long line', args: { session_id: 'term_1', input: 'x'.repeat(5_000) } },
    {
      case: 'cut',
      args: { session_id: 'term_1', input: 'echo abcdef', yield_time_ms: 500, max_output_chars: 3 },
    },
  ],
  TerminalRead: [
    { case: 'edge: nothing yet', before: [start], args: { session_id: 'term_1', yield_time_ms: 0 } },
    {
      case: 'cut',
      before: [writeLetters(1)],
      args: { session_id: 'term_1', yield_time_ms: 5_000, max_output_chars: 2 },
    },
    { case: 'usual: the rest', args: { session_id: 'term_1', yield_time_ms: 300 } },
    { case: 'refusal: unknown', args: { session_id: 'term_9' } },
  ],
  TerminalInterrupt: [
    {
      case: 'usual',
      before: [start, { name: 'TerminalWrite', args: { ...untilShown(3), input: 'echo on; sleep 60' } }],
      args: { session_id: 'term_1' },
    },
    { case: 'edge: nothing runs', before: [start], args: { session_id: 'term_2' } },
    { case: 'refusal: unknown', args: { session_id: 'term_9' } },
    {
      case: 'cut',
      before: [start, { ...writeLetters(1), args: { ...writeLetters(1).args, session_id: 'term_3' } }],
      args: { session_id: 'term_3', max_output_chars: 2 },
    },
  ],
  TerminalKill: [
    { case: 'usual', before: [start], args: { session_id: 'term_1' } },
    { case: 'edge: at once', before: [start], args: { session_id: 'term_2', force: true } },
    { case: 'refusal: unknown', args: { session_id: 'term_9' } },
    { case: 'refusal: gone', args: { session_id: 'term_1' } },
  ],
  str_replace_editor: [
    { case: 'view: usual', args: edits('view', 'notes.txt') },
    { case: 'view edge: a part', args: edits('view', 'notes.txt', { view_range: [2, -1] }) },
    { case: 'view edge: a folder', args: edits('view', 'src') },
    { case: 'view edge: nothing in it', args: edits('view', 'empty.txt') },
    { case: 'view edge: a document', args: edits('view', 'paper.pdf') },
    { case: 'view refusal: no text', args: edits('view', 'blob.bin') },
    { case: 'view refusal: a secret', args: edits('view', '.env') },
    { case: 'view refusal: lines', args: edits('view', 'notes.txt', { view_range: [3, 2] }) },
    { case: 'view refusal: relative', args: { command: 'view', path: 'notes.txt' } },
    { case: 'view cut: past the end', args: edits('view', 'notes.txt', { view_range: [9, 12] }) },
    { case: 'create: usual', args: edits('create', 'new.txt', { file_text: 'x\n' }) },
    { case: 'create edge: nothing in it', args: edits('create', 'new.txt', { file_text: '' }) },
    { case: 'create refusal: there', args: edits('create', 'notes.txt', { file_text: 'x\n' }) },
    { case: 'create refusal: no folder', args: edits('create', 'a/new.txt', { file_text: 'x\n' }) },
    { case: 'create refusal: no text', args: edits('create', 'new.txt') },
    { case: 'str_replace: usual', args: edits('str_replace', 'notes.txt', { old_str: 'two', new_str: '2' }) },
    { case: 'str_replace edge: taken out', args: edits('str_replace', 'notes.txt', { old_str: 'two\n' }) },
    { case: 'str_replace refusal: twice', args: edits('str_replace', 'src/main.ts', { old_str: '3' }) },
    { case: 'str_replace refusal: not there', args: edits('str_replace', 'notes.txt', { old_str: 'six' }) },
    { case: 'insert: usual', args: edits('insert', 'notes.txt', { insert_line: 1, new_str: 'half\n' }) },
    { case: 'insert edge: on top', args: edits('insert', 'notes.txt', { insert_line: 0, new_str: 'zero' }) },
    { case: 'insert refusal: line', args: edits('insert', 'notes.txt', { insert_line: 9, new_str: 'x' }) },
    { case: 'insert refusal: no text', args: edits('insert', 'notes.txt', { insert_line: 1 }) },
    { case: 'undo_edit: usual', before: [editNotes], args: edits('undo_edit', 'notes.txt') },
    {
      case: 'undo_edit edge: a new file goes',
      before: [editor('create', 'made.txt', { file_text: 'x\n' })],
      args: edits('undo_edit', 'made.txt'),
    },
    {
      case: 'undo_edit edge: the edits of other tools stay',
      before: [{ name: 'Write', args: { path: 'by-write.txt', content: 'x\n' } }],
      args: edits('undo_edit', 'by-write.txt'),
    },
    {
      case: 'undo_edit refusal: changed since',
      before: [editNotes, { name: 'Write', args: { path: 'notes.txt', content: 'x\n', overwrite: true } }],
      args: edits('undo_edit', 'notes.txt'),
    },
    {
      case: 'undo_edit refusal: nothing left',
      before: [editor('create', 'once.txt', { file_text: 'x\n' }), editor('undo_edit', 'once.txt')],
      args: edits('undo_edit', 'once.txt'),
    },
  ],
}

test.each(Object.entries(cases))('%s calls and answers like its golden file', async (adapter, list) => {
  await compareAdapter('researchharness', adapter, list)
})

test('every adapter has cases, and no parameter accepts a list', () => {
  expect(Object.keys(cases).sort()).toEqual(
    adaptersOf(researchharness)
      .map(({ adapter }) => adapter.name)
      .sort(),
  )
})

const openIn = (dir: string, names: readonly string[], toolset?: string) =>
  openDirectCalls({
    ...{ cwd: dir, env: { PATH: process.env.PATH, HOME: dir, ANODE_DATA_DIR: join(dir, '.data') } },
    ...{ signal: new AbortController().signal, mode: 'unrestricted', approval: 'flag', addDirs: [] },
    ...{ record: 'changes', names, terminal: undefined, ...(toolset && { toolset: { name: toolset } }) },
  })

test('denies commands that shut the machine down or show secrets, in every spelling', async () => {
  const session = await openIn(scratchWith({ 'src/a': '' }), ['Bash', 'TerminalStart'], 'researchharness')
  const entry = session.catalog.find('Bash')
  if (!entry) throw new Error('there is no Bash')
  const action = async (command: string) =>
    (await session.explain(entry, { command }, 'thread')).decision.action
  const denied = [
    ...['rm -rf /', 'rm -fr ~', 'rm -r -f "$HOME"', 'rm --recursive --force $HOME/', 'rm -Rf -- /*'],
    ...['cd x; rm -vrf ~/*', '\\rm -rf /', 'su -c ls', 'mkfs.ext4 /dev/sda1', '(sudo ls)', ':(){ :|:& };:'],
    ...['cat .git/config', 'head -1 a/.ssh/id_rsa', 'x() { x | x & }; x'],
  ]
  for (const line of denied) expect([line, await action(line)]).toEqual([line, 'deny'])
  for (const line of ['rm -rf build', 'rm -r x/y', 'grep -rf words .', 'ls /', 'echo sudo'])
    expect([line, await action(line)]).toEqual([line, 'allow'])
  const terminals = session.catalog.find('TerminalStart')
  if (!terminals) throw new Error('there is no TerminalStart')
  const start = async (args: object) =>
    (await session.explain(terminals, { ...args }, 'thread')).decision.action
  expect([await start({}), await start({ shell: 'sh', cwd: 'src' })]).toEqual(['allow', 'allow'])
  // text that is typed into another program is not a command
  expect(await start({ shell: 'python3' })).not.toBe('allow')
  expect([await start({ shell: 'sudo' }), await start({ cwd: '/' })]).toEqual(['deny', 'deny'])
  await session.close()
})

test('reads papers of every type with one tool', async () => {
  const dir = scratchWith(
    Object.fromEntries(
      ['oat-starch.docx', 'swift-nests.epub', 'pump-noise.ipynb', 'bridge-sway.html'].map((name) => [
        name,
        readFileSync(join(root, 'test/fixtures/papers', name)),
      ]),
    ),
  )
  const session = await openIn(dir, ['read_document'])
  for (const [path, text] of [
    ['oat-starch.docx', 'Drying time: 16 h'],
    ['swift-nests.epub', '19 young fledged'],
    ['pump-noise.ipynb', '72.5 dB(A)'],
    ['bridge-sway.html', '96 mm/s²'],
  ])
    expect((await session.call({ name: 'read_document', args: { path } })).text).toContain(text)
  await session.close()
})

test('calls and commands use the workspace as home, git and rules use the home of the user', async () => {
  const person = scratchWith({ '.gitconfig': '[alias]\n\town = !echo person\n', 'private.txt': 'mine\n' })
  const dir = scratchWith({
    'notes.txt': 'one\n',
    '.env': 'KEY=1\n',
    '.gitconfig': '[alias]\n\town = !echo repository\n',
    'sub/a.txt': '',
  })
  const open = (mode: 'auto' | 'unrestricted') =>
    openDirectCalls({
      ...{ cwd: dir, env: { PATH: process.env.PATH, HOME: person, ANODE_DATA_DIR: join(person, 'data') } },
      ...{ signal: new AbortController().signal, mode, approval: 'flag', addDirs: [], record: 'changes' },
      ...{ terminal: undefined, toolset: { name: 'researchharness' }, sandbox: 'off' },
    })
  const session = await open('unrestricted')
  const textOf = async (name: string, args: object) => (await session.call({ name, args: { ...args } })).text
  expect(await textOf('Read', { path: '~/notes.txt' })).toContain('one')
  expect(await textOf('Read', { path: '~/private.txt' })).toContain('does not exist')
  expect(await textOf('Bash', { command: 'echo ~ $HOME; cd sub; cd; pwd' })).toContain(
    `${dir} ${dir}\n${dir}`,
  )
  expect(await textOf('Bash', { command: 'git own' })).toContain('person')
  for (const path of ['~/.env', '~/sub/../.env'])
    expect(await textOf('Read', { path })).toContain('secrets and histories')
  expect(await textOf('Bash', { command: 'cat ~/.env' })).toContain('secrets and histories')
  const started = await textOf('TerminalStart', {})
  expect(started).toContain('term_1')
  expect(
    await textOf('TerminalWrite', { session_id: 'term_1', input: 'echo ~', yield_time_ms: 2_000 }),
  ).toContain(dir)
  await session.close()
  const careful = await open('auto')
  const entry = careful.catalog.find('Bash')
  if (!entry) throw new Error('there is no Bash')
  const action = async (command: string) =>
    (await careful.explain(entry, { command }, 'thread')).decision.action
  expect([await action('cat ~/notes.txt'), await action('cd; cat notes.txt')]).toEqual(['allow', 'allow'])
  expect([await action(`cat ${person}/private.txt`), await action('touch ~/.git/hooks/x')]).not.toContain(
    'allow',
  )
  await careful.close()
})
