// The adapters of the toolset ah: the native call of each, and its result, on a real tree.
import { test } from 'vitest'
import { type AdapterCase, compareAdapter } from '../../../support/adapter-session.ts'

const flood = { face: 'bash', args: { command: 'seq 400' } }

const cases: Readonly<Record<string, readonly AdapterCase[]>> = {
  read: [
    { case: 'usual', args: { path: 'notes.txt' } },
    { case: 'edge: a part', args: { path: 'notes.txt', offset: 2, limit: 1 } },
    { case: 'edge: limit 0', args: { path: 'notes.txt', offset: 2, limit: 0 } },
    { case: 'edge: past the end', args: { path: 'notes.txt', offset: 9 } },
    { case: 'refusal: binary', args: { path: 'blob.bin' } },
    { case: 'refusal: not there', args: { path: 'nope.PNG' } },
    { case: 'cut', args: { path: 'wide.txt' } },
  ],
  write: [
    { case: 'usual', args: { path: 'a/b.txt', content: 'x\n' } },
    { case: 'edge: replaced', args: { path: 'notes.txt', content: 'x\n' } },
    {
      case: 'refusal: protected',
      args: { path: 'src/../vendor/a', content: '' },
      env: { AH_PROTECT_DIRS: 'vendor' },
    },
    {
      case: 'edge: a longer name',
      args: { path: 'vendored/a', content: '' },
      env: { AH_PROTECT_DIRS: 'vendor' },
    },
    { case: 'refusal: no content', args: { path: 'a' } },
  ],
  edit: [
    { case: 'usual', args: { path: 'notes.txt', old_string: 'two', new_string: '$& 2' } },
    { case: 'edge: deleted', args: { path: 'notes.txt', old_string: 'two\n', new_string: '' } },
    { case: 'refusal: not unique', args: { path: 'src/main.ts', old_string: '= 3', new_string: '' } },
    { case: 'refusal: not there', args: { path: 'notes.txt', old_string: 'six', new_string: '' } },
    { case: 'cut', args: { path: 'wide.txt', old_string: 'x\n', new_string: 'y\n' } },
    { case: 'refusal: a native name', args: { path: 'notes.txt', old_str: 'two', new_string: '' } },
  ],
  bash: [
    { case: 'usual', args: { command: 'echo out; echo err >&2' } },
    { case: 'edge: nothing', args: { command: 'true' } },
    { case: 'refusal: a pipe fails', args: { command: 'false | cat' } },
    { case: 'refusal: with output', args: { command: 'echo a; exit 3' } },
    { case: 'refusal: timeout', args: { command: 'sleep 5', timeout: 100 } },
    { case: 'refusal: time', args: { command: 'true', timeout: 0 } },
    { case: 'edge: 256 lines', args: { command: 'seq 256' } },
    { case: 'cut', args: { command: 'seq 400' } },
  ],
  result: [
    { case: 'usual', args: { call_id: 'LAST', offset: 399 }, after: [flood] },
    { case: 'cut', args: { call_id: 'LAST', offset: 200, limit: 2 }, after: [flood] },
    { case: 'edge: past the end', args: { call_id: 'LAST', offset: 401 }, after: [flood] },
    { case: 'refusal: unknown', args: { call_id: 'call_9' } },
    { case: 'refusal: offset', args: { call_id: 'call_9', offset: 0 } },
    { case: 'edge: a later line', args: { call_id: 'call_9', offset: 5, limit: 2 } },
    { case: 'refusal: no id', args: {} },
  ],
}

test.each(Object.entries(cases))('%s calls and answers like its golden file', async (adapter, list) => {
  await compareAdapter('ah', adapter, list)
})
