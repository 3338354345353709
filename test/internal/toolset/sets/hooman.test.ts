// The adapters of the toolset hooman: the native call of each, and its result, on a real tree.
import { test } from 'vitest'
import { type AdapterCase, compareAdapter } from '../../../support/adapter-session.ts'

const edit = (oldText: string, newText: string) => ({ oldText, newText })
const lines = Array.from({ length: 400 }, (_, i) => `line ${i + 1}\n`).join('')
const think = (rest: object) => ({
  thought: 'a',
  nextThoughtNeeded: true,
  thoughtNumber: 1,
  totalThoughts: 3,
  ...rest,
})

const planned = [
  { face: 'enter_plan_mode', args: {} },
  { face: 'write_file', args: { path: 'DATA/plans/sess_1.md', content: '# Plan' } },
]

const query = { query: 'Which title?' }

/** Results of a subagent. Every end is text. */
const childCases: readonly AdapterCase[] = [
  { case: 'usual', args: query, child: {} },
  { case: 'edge: an end before the last step', args: query, child: { end: 'partial', reason: 'turns' } },
  { case: 'refusal: no task', args: {} },
  { case: 'refusal: it broke', args: query, child: { end: 'failed', reason: 'model', text: '' } },
  { case: 'refusal: cancelled', args: query, child: { end: 'cancelled', text: 'So far nothing.' } },
  { case: 'refusal: denied', args: query, child: { end: 'limit', reason: 'denied', text: '' } },
  { case: 'refusal: no model', args: query, child: 'no model is configured' },
  { case: 'cut: at a limit, without a word', args: query, child: { end: 'limit', reason: 'time', text: '' } },
]

const cases: Readonly<Record<string, readonly AdapterCase[]>> = {
  read_file: [
    { case: 'usual', args: { path: 'notes.txt' } },
    { case: 'edge: a part', args: { path: 'notes.txt', offset: 2, limit: 1 } },
    { case: 'edge: past the end', args: { path: 'notes.txt', offset: 9 } },
    { case: 'edge: nothing in it', args: { path: 'empty.txt' } },
    { case: 'refusal: binary', args: { path: 'blob.bin' } },
    { case: 'edge: binary asked for', args: { path: 'blob.bin', binary: true } },
    { case: 'refusal: not there', args: { path: 'nope.txt' } },
    { case: 'refusal: limit', args: { path: 'notes.txt', limit: 0 } },
    { case: 'cut: 250 lines', args: { path: 'long.txt' } },
  ],
  read_multiple_files: [
    { case: 'usual', args: { paths: ['src/main.ts', 'notes.txt'] } },
    { case: 'edge: one fails in its place', args: { paths: ['nope.txt', 'notes.txt'], limit: 1 } },
    { case: 'refusal: none', args: { paths: [] } },
    { case: 'cut: 250 lines', args: { paths: ['long.txt'] } },
  ],
  write_file: [
    { case: 'usual', args: { path: 'new.txt', content: 'a\n' } },
    { case: 'edge: replaces unasked', args: { path: 'notes.txt', content: 'a\n' } },
    { case: 'edge: append', args: { path: 'notes.txt', content: 'four\n', append: true } },
    { case: 'refusal: no parent', args: { path: 'x/new.txt', content: '', create_parents: false } },
    { case: 'refusal: outside', args: { path: '../new.txt', content: '' } },
  ],
  edit_file: [
    { case: 'usual', args: { path: 'notes.txt', edits: [edit('two', '2'), edit('2', 'II')] } },
    { case: 'edge: dry run', args: { path: 'notes.txt', edits: [edit('two', '2')], dry_run: true } },
    {
      case: 'edge: escaped',
      args: { path: 'src/main.ts', edits: [edit('name = \\"a\\"', 'name = \\"b\\"')] },
    },
    { case: 'refusal: several places', args: { path: 'src/main.ts', edits: [edit('= 3', '= 4')] } },
    {
      case: 'refusal: all or none',
      args: { path: 'notes.txt', edits: [edit('two', '2'), edit('six', '6')] },
    },
    { case: 'refusal: shape', args: { path: 'notes.txt', edits: [{ old: 'a' }] } },
    { case: 'cut: a long change', args: { path: 'long.txt', edits: [edit(lines, 'one\n')] } },
  ],
  create_directory: [
    { case: 'usual', args: { path: 'a/b' } },
    { case: 'edge: there already', args: { path: 'src' } },
    { case: 'refusal: no parent', args: { path: 'a/b', recursive: false } },
    { case: 'refusal: a file', args: { path: 'notes.txt' } },
  ],
  list_directory: [
    { case: 'usual', args: { path: 'src' } },
    { case: 'edge: recursive', args: { path: 'src', recursive: true, exclude_patterns: ['main.*'] } },
    { case: 'refusal: depth alone', args: { path: 'src', max_depth: 2 } },
    { case: 'refusal: a file', args: { path: 'notes.txt' } },
    { case: 'cut: one level', args: { path: '.', recursive: true, max_depth: 1 } },
  ],
  directory_tree: [
    { case: 'usual', args: { path: 'src' } },
    { case: 'edge: excluded', args: { path: '.', exclude_patterns: ['*.txt', '*.bin'] } },
    { case: 'refusal: depth', args: { path: 'src', max_depth: 0 } },
    { case: 'cut: one level', args: { path: 'src', max_depth: 1 } },
  ],
  move_file: [
    { case: 'usual', args: { source: 'notes.txt', destination: 'a/notes.txt' } },
    { case: 'edge: replaced', args: { source: 'notes.txt', destination: 'empty.txt', overwrite: true } },
    { case: 'refusal: there already', args: { source: 'notes.txt', destination: 'empty.txt' } },
    { case: 'refusal: not there', args: { source: 'nope', destination: 'b' } },
  ],
  get_file_info: [
    { case: 'usual', args: { path: 'src/main.ts' } },
    { case: 'edge: nothing in it', args: { path: 'empty.txt' } },
    { case: 'refusal: not there', args: { path: 'nope' } },
    { case: 'refusal: no path', args: {} },
  ],
  grep: [
    { case: 'usual: names', args: { pattern: '*.ts' } },
    { case: 'usual: content', args: { pattern: 'ret.*3', output_mode: 'content' } },
    {
      case: 'edge: files',
      args: { pattern: 'CONST', output_mode: 'files_with_matches', case_insensitive: true },
    },
    { case: 'edge: count', args: { pattern: 'const', output_mode: 'count', glob: '*.ts' } },
    { case: 'edge: nothing', args: { pattern: 'zebra', output_mode: 'content' } },
    { case: 'edge: no name', args: { pattern: 'zebra*' } },
    { case: 'refusal: names have no context', args: { pattern: 'a', context: 2 } },
    { case: 'refusal: pattern', args: { pattern: '(', output_mode: 'content' } },
    { case: 'cut', args: { pattern: 'line', output_mode: 'content', head_limit: 2, offset: 1 } },
  ],
  shell: [
    { case: 'usual', args: { command: [{ command: 'echo a' }] } },
    { case: 'edge: a text', args: { command: 'echo a' } },
    { case: 'edge: mixed, with cd', args: { command: ['cd src', { command: 'cat', stdin: 'in' }, 'ls'] } },
    { case: 'edge: goes on', args: { command: ['false', 'echo b'], ignore_errors: true } },
    { case: 'refusal: stops', args: { command: ['false', 'echo b'] } },
    { case: 'refusal: timeout', args: { command: 'sleep 5', timeout: 0.1 } },
    { case: 'refusal: none', args: { command: [] } },
    { case: 'refusal: time', args: { command: 'true', timeout: 0 } },
    { case: 'cut', args: { command: 'cat long.txt long.txt long.txt' } },
  ],
  fetch: [
    { case: 'usual', args: { url: 'SITE/text' }, web: true },
    { case: 'edge: past the end', args: { url: 'SITE/text', start_index: 99 }, web: true },
    { case: 'edge: only scripts', args: { url: 'SITE/empty' }, web: true },
    { case: 'refusal: not there', args: { url: 'SITE/none' }, web: true },
    { case: 'refusal: a picture', args: { url: 'SITE/picture' }, web: true },
    { case: 'refusal: this machine', args: { url: 'http://localhost/a' } },
    { case: 'refusal: a name in it', args: { url: 'https://me@example.com/' } },
    { case: 'refusal: length', args: { url: 'https://example.com', max_length: 0 } },
    { case: 'cut', args: { url: 'SITE/text', max_length: 5, start_index: 2 }, web: true },
  ],
  web_search: [
    { case: 'usual', args: { query: 'locks' }, web: true },
    {
      case: 'edge: what the engine has not',
      args: { query: 'a', safe_search: true, country: 'DE' },
      web: true,
    },
    { case: 'cut', args: { query: 'locks', count: 1 }, web: true },
    { case: 'refusal: too many', args: { query: 'a', count: 21 } },
    { case: 'refusal: one date', args: { query: 'a', start_date: '2026-01-01' } },
    {
      case: 'refusal: both windows',
      args: { query: 'a', freshness: 'day', start_date: '2026-01-01', end_date: '2026-02-01' },
    },
    { case: 'refusal: country', args: { query: 'a', country: 'Germany' } },
  ],
  update_todos: [
    { case: 'usual', args: { todos: [{ content: 'a', status: 'in_progress', priority: 'high' }] } },
    { case: 'edge: empty', args: { todos: [] } },
    { case: 'refusal: status', args: { todos: [{ content: 'a', status: 'later' }] } },
    { case: 'refusal: no status', args: { todos: [{ content: 'a' }] } },
  ],
  sleep: [
    { case: 'usual', args: { seconds: 0.01 } },
    { case: 'edge: nothing', args: { seconds: 0 } },
    { case: 'refusal: above', args: { seconds: 3601 } },
    { case: 'refusal: below', args: { seconds: -1 } },
  ],
  think: [
    { case: 'usual', args: think({}) },
    { case: 'edge: beyond the total', args: think({ thoughtNumber: 4 }) },
    { case: 'edge: branch', args: think({ thoughtNumber: 2, branchFromThought: 1, branchId: 'b' }) },
    { case: 'refusal: revision', args: think({ isRevision: true }) },
    { case: 'refusal: branch', args: think({ branchFromThought: 1 }) },
  ],
  get_current_time: [
    { case: 'usual', args: { timezone: 'Asia/Tokyo' } },
    { case: 'refusal: zone', args: { timezone: 'Europe/Atlantis' } },
    { case: 'refusal: unknown', args: { zone: 'UTC' } },
    { case: 'edge: UTC', args: { timezone: 'UTC' } },
  ],
  convert_time: [
    { case: 'usual', args: { time: '14:30', source_timezone: 'UTC', target_timezone: 'Asia/Tokyo' } },
    {
      case: 'edge: quarters',
      args: { time: '00:00', source_timezone: 'UTC', target_timezone: 'Asia/Kathmandu' },
    },
    { case: 'refusal: time', args: { time: '9:30' } },
    { case: 'refusal: day', args: { time: '24:00' } },
    { case: 'refusal: zone', args: { time: '12:00', target_timezone: 'Nowhere/City' } },
  ],
  enter_plan_mode: [
    { case: 'refusal: unknown', args: { why: 'a' } },
    { case: 'refusal: type', args: { fresh: 'maybe' } },
    { case: 'refusal: reason', args: { reason: 1 } },
    { case: 'usual: in no thread', args: { reason: 'a' } },
    { case: 'usual', args: {}, after: [] },
    {
      case: 'edge: the same again',
      args: {},
      after: planned,
    },
    { case: 'edge: another', args: { fresh: true }, after: planned },
  ],
  exit_plan_mode: [
    { case: 'refusal: not planning', args: {} },
    { case: 'refusal: unknown', args: { plan: 'a' } },
    { case: 'refusal: several', args: { plan: 'a', comment: 'b' } },
    { case: 'refusal: nothing written', args: {}, after: [{ face: 'enter_plan_mode', args: {} }] },
    { case: 'usual: approved', args: {}, after: planned, reply: { option: 'approve' } },
    { case: 'edge: kept', args: {}, after: planned, reply: { text: 'first the tests' } },
    { case: 'edge: dismissed', args: {}, after: planned, reply: 'dismissed' },
    { case: 'edge: nobody', args: {}, after: planned },
  ],
  subagent_research: childCases,
  subagent_review: childCases,
  subagent_test_investigator: childCases,
  ask_user: [
    { case: 'usual: nobody', args: { question: 'Which?', options: ['a', 'b'] } },
    { case: 'usual', args: { question: 'Which?', options: ['a', 'b'] }, reply: { option: '2' } },
    { case: 'edge: own words', args: { question: 'Which?', options: ['a', 'b'] }, reply: { text: 'c' } },
    { case: 'edge: dismissed', args: { question: 'Which?', options: ['a', 'b'] }, reply: 'dismissed' },
    { case: 'refusal: one option', args: { question: 'Which?', options: ['a'] } },
    { case: 'refusal: six options', args: { question: 'Which?', options: ['a', 'b', 'c', 'd', 'e', 'f'] } },
    { case: 'refusal: no question', args: { options: ['a', 'b'] } },
  ],
}

test.each(Object.entries(cases))('%s calls and answers like its golden file', async (adapter, list) => {
  await compareAdapter('hooman', adapter, list)
})
