// The tool undo over real files and a real record: step by step back, by call and by tool, with
// files that stay.
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDirectCalls } from '../../../../internal/service/calls/direct-call.ts'
import { findUndo } from '../../../../internal/service/threads/undo.ts'
import type { CallResult } from '../../../../internal/tool/invoke.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

async function open(files: Record<string, string>) {
  const dir = scratchWith(files)
  const data = scratch()
  const session = await openDirectCalls({
    ...{ cwd: dir, addDirs: [], mode: 'unrestricted', approval: 'flag', record: 'changes' },
    ...{ signal: new AbortController().signal, terminal: undefined, names: ['*'] },
    env: { PATH: process.env.PATH, HOME: data, ANODE_DATA_DIR: data },
  })
  const call = (name: string, args: Record<string, unknown>): Promise<CallResult> =>
    session.call({ name, args })
  const at = (name: string) => join(dir, name)
  const undo = async (more: Record<string, unknown> = {}) => {
    const { failed, data } = await call('undo', { path: 'a.txt', ...more })
    return failed?.code ?? (data as { what: string }).what
  }
  const text = () => (existsSync(at('a.txt')) ? readFileSync(at('a.txt'), 'utf8') : undefined)
  /** Returns what `anode undo` would restore and what it would leave. */
  const plan = async () => {
    const store = await session.ctx.can.records.store?.()
    const { plan } = (store && (await findUndo(store, {}, dir))) ?? {}
    if (!plan) throw new Error('nothing is on record')
    const { previews, left } = plan
    return { shown: previews.map(({ hunks }) => hunks), left }
  }
  return { call, undo, text, at, plan, close: () => session.close() }
}

const edit = (from: string, to: string) => ({ path: 'a.txt', old_str: from, new_str: to })

test('goes back change by change, with contents and modes, until nothing is left', async () => {
  const { call, undo, text, at, close } = await open({})
  expect(await undo()).toBe('nothing_to_undo')
  await call('create_file', { path: 'a.txt', content: 'one\n' })
  chmodSync(at('a.txt'), 0o750)
  await call('edit_file', edit('one', 'two'))
  await call('edit_file', edit('two', 'three'))
  chmodSync(at('a.txt'), 0o600)
  expect(await undo({ dry_run: true })).toBe('put back')
  expect(text()).toBe('three\n')
  expect(await undo()).toBe('put back')
  expect(text()).toBe('two\n')
  expect(statSync(at('a.txt')).mode & 0o777).toBe(0o750)
  // a change after an undo is the last change again
  await call('edit_file', edit('two', 'four'))
  expect([await undo(), text()]).toEqual(['put back', 'two\n'])
  expect([await undo(), text()]).toEqual(['put back', 'one\n'])
  expect([await undo(), text()]).toEqual(['removed', undefined])
  expect(await undo()).toBe('nothing_to_undo')
  await close()
})

test('an undo by the user starts from the current content', async () => {
  const { call, undo, plan, close } = await open({ 'a.txt': 'one\n' })
  await call('edit_file', edit('one', 'two'))
  await undo()
  await call('edit_file', edit('one', 'three'))
  expect(await plan()).toEqual({ shown: [expect.stringContaining('-three\n+one')], left: [] })
  await close()
})

test('skips files that were changed or removed since', async () => {
  const { call, undo, text, at, close } = await open({ 'a.txt': 'one\n' })
  await call('edit_file', edit('one', 'two'))
  writeFileSync(at('a.txt'), 'mine\n')
  expect([await undo(), text()]).toEqual(['stale_read', 'mine\n'])
  rmSync(at('a.txt'))
  expect([await undo(), text()]).toEqual(['stale_read', undefined])
  await close()
})

test('selects by call and by tool, and lists other files of the call', async () => {
  const { call, undo, text, at, close } = await open({ 'a.txt': 'one\n', 'b.txt': 'b\n' })
  const first = await call('edit_file', edit('one', 'two'))
  await call('create_file', { path: 'a.txt', content: 'three\n', overwrite: true })
  // the file has the content of another call
  expect([await undo({ by: 'edit_file' }), text()]).toEqual(['stale_read', 'three\n'])
  expect(await undo({ call_id: 'call_none' })).toBe('nothing_to_undo')
  expect([await undo({ by: 'create_file' }), text()]).toEqual(['put back', 'two\n'])
  expect([await undo({ call_id: first.call }), text()]).toEqual(['put back', 'one\n'])

  await call('fs_move', { source: 'b.txt', destination: 'c.txt' })
  const { data } = await call('undo', { path: 'b.txt' })
  expect(data).toMatchObject({ what: 'made again', others: ['c.txt'] })
  expect([readFileSync(at('b.txt'), 'utf8'), existsSync(at('c.txt'))]).toEqual(['b\n', true])
  await close()
})

test('skips a call that failed without a change', async () => {
  const { call, undo, text, close } = await open({ 'a.txt': 'one\n' })
  await call('edit_file', edit('one', 'two'))
  expect((await call('edit_file', edit('nothing like it', 'x'))).failed?.code).toBe('old_not_found')
  expect([await undo(), text()]).toEqual(['put back', 'one\n'])
  await close()
})
