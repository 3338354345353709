// Undo over the real parts: tools write under the policy, the record is read from a real store, and
// files are restored.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDirectCalls } from '../../../../internal/service/calls/direct-call.ts'
import { applyUndo, findUndo } from '../../../../internal/service/threads/undo.ts'
import { openStore } from '../../../../internal/store/sqlite.ts'
import { scratch } from '../../../support/scratch.ts'

async function workspace() {
  const dir = scratch()
  const cwd = join(dir, 'w')
  mkdirSync(cwd)
  const env = { ANODE_DATA_DIR: join(dir, 'data'), PATH: process.env.PATH, HOME: dir }
  const call = async (name: string, args: unknown) => {
    const session = await openDirectCalls({
      ...{ cwd, env, signal: new AbortController().signal, mode: 'unrestricted', approval: 'flag' },
      ...{ addDirs: [], record: 'changes', terminal: undefined, names: [name], single: true },
    })
    const result = await session.call({ name, args })
    await session.close()
    expect(result.failed).toBeUndefined()
  }
  const undo = async (apply = true, redo = false) => {
    const store = await openStore(env.ANODE_DATA_DIR)
    try {
      const { thread, plan } = (await findUndo(store, { redo }, cwd)) ?? {}
      if (!thread || !plan) return undefined
      if (apply) await applyUndo(store, thread, plan, { env, tool: redo ? 'redo' : 'undo' })
      return plan
    } finally {
      store.close()
    }
  }
  const at = (name: string) => join(cwd, name)
  return { call, undo, at, env }
}

test('removes a new file, restores the bytes and mode of a changed one, and changes nothing in a dry run', async () => {
  const { call, undo, at } = await workspace()
  expect(await undo()).toBeUndefined()
  await call('create_file', { path: 'x.txt', content: 'hi' })
  const shown = await undo(false)
  expect(shown?.previews).toMatchObject([{ path: 'x.txt', what: 'removed', removed: 1 }])
  expect(readFileSync(at('x.txt'), 'utf8')).toBe('hi')
  await undo()
  expect(existsSync(at('x.txt'))).toBe(false)
  // an undo is not repeated, because no step is left
  expect((await undo())?.steps).toEqual([])

  const bytes = Buffer.from([0, 255, 254, 10, 13, 65])
  writeFileSync(at('b.bin'), bytes)
  chmodSync(at('b.bin'), 0o750)
  await call('create_file', { path: 'b.bin', content: 'text', overwrite: true })
  chmodSync(at('b.bin'), 0o600)
  await undo()
  expect(readFileSync(at('b.bin')).equals(bytes)).toBe(true)
  expect(statSync(at('b.bin')).mode & 0o777).toBe(0o750)
})

test('goes back run by run to the first state, and forward to the last', async () => {
  const { call, undo, at } = await workspace()
  const text = () => (existsSync(at('a.txt')) ? readFileSync(at('a.txt'), 'utf8') : undefined)
  await call('create_file', { path: 'a.txt', content: 'one' })
  await call('edit_file', { path: 'a.txt', old_str: 'one', new_str: 'two' })
  await call('edit_file', { path: 'a.txt', old_str: 'two', new_str: 'three' })
  const seen: unknown[] = []
  for (let i = 0; i < 4; i++) seen.push([(await undo())?.steps.length, text()])
  expect(seen.slice(0, 4)).toEqual([
    [1, 'two'],
    [1, 'one'],
    [1, undefined],
    [0, undefined],
  ])
  const back: unknown[] = []
  for (let i = 0; i < 4; i++) back.push([(await undo(true, true))?.steps.length, text()])
  expect(back).toEqual([
    [1, 'one'],
    [1, 'two'],
    [1, 'three'],
    [0, 'three'],
  ])
  expect([(await undo())?.steps.length, text()]).toEqual([1, 'two'])
  writeFileSync(at('a.txt'), 'mine')
  const plan = await undo(true, true)
  expect(plan?.left).toEqual([{ path: at('a.txt'), why: 'it was changed since' }])
  expect(text()).toBe('mine')
})

test('undoes a call over several files completely, and keeps later changes of a user', async () => {
  const { call, undo, at } = await workspace()
  writeFileSync(at('a.txt'), 'one\n')
  writeFileSync(at('c.txt'), 'gone\n')
  const patch = [
    ...['*** Begin Patch', '*** Update File: a.txt', '@@', '-one', '+two'],
    ...['*** Add File: n/b.txt', '+new', '*** Delete File: c.txt', '*** End Patch', ''],
  ].join('\n')
  await call('apply_patch', { patch })
  writeFileSync(at('a.txt'), 'two\nand mine\n')
  const plan = await undo()
  expect(plan?.left).toEqual([{ path: at('a.txt'), why: 'it was changed since' }])
  expect(readFileSync(at('a.txt'), 'utf8')).toBe('two\nand mine\n')
  expect(existsSync(at('n/b.txt'))).toBe(false)
  expect(readFileSync(at('c.txt'), 'utf8')).toBe('gone\n')
})

test('keeps a file whose earlier content is missing', async () => {
  const { call, undo, at, env } = await workspace()
  writeFileSync(at('a.txt'), 'one\n')
  await call('create_file', { path: 'a.txt', content: 'two\n', overwrite: true })
  rmSync(join(env.ANODE_DATA_DIR, 'blob'), { recursive: true })
  expect((await undo())?.left[0]?.why).toContain('no longer stored')
  expect(readFileSync(at('a.txt'), 'utf8')).toBe('two\n')
})

test('moves files and directories back, and restores replaced ones', async () => {
  const { call, undo, at } = await workspace()
  const cwd = at('.')
  mkdirSync(join(cwd, 'old', 'deep'), { recursive: true })
  writeFileSync(join(cwd, 'old', 'deep', 'a.txt'), 'a\n', { mode: 0o640 })
  writeFileSync(join(cwd, 'b.txt'), 'b\n')
  writeFileSync(join(cwd, 'c.txt'), 'c\n')
  await call('fs_move', { source: 'old', destination: 'new' })
  await undo()
  expect(readFileSync(join(cwd, 'old', 'deep', 'a.txt'), 'utf8')).toBe('a\n')
  expect(statSync(join(cwd, 'old', 'deep', 'a.txt')).mode & 0o777).toBe(0o640)
  expect(existsSync(join(cwd, 'new', 'deep', 'a.txt'))).toBe(false)
  await call('fs_move', { source: 'b.txt', destination: 'c.txt', overwrite: true })
  await undo()
  expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('b\n')
  expect(readFileSync(join(cwd, 'c.txt'), 'utf8')).toBe('c\n')
})
