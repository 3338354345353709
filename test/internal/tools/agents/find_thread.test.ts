// find_thread: hits with snippets, the present thread left out, hostile queries.
import { symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findThread } from '../../../../internal/tools/agents/find_thread.ts'
import { call } from '../../../support/ctx.ts'
import { git, repoWith } from '../../../support/repo.ts'
import { scratch } from '../../../support/scratch.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()

function record(title: string, text: string, workspace = `${place.dir}/workspace`) {
  const { id } = place.store.threads.create({ workspace, title, profile: 'craft' })
  place.store.threads.append(id, 'r', [
    { type: 'message', payload: { role: 'user', text: 'start' } },
    { type: 'message', payload: { role: 'assistant', text } },
  ])
  return id
}

test('lists the best thread first, with id, workspace and snippet', async () => {
  const best = record('Storage', 'We refactored the database layer')
  record('Other', 'A database is mentioned, a layer of paint is not', '/elsewhere')
  record('None', 'cooking')
  const { text, data } = await call(findThread, { query: '"database layer"', limit: '3' }, place.ctx())
  expect(data).toEqual({
    query: '"database layer"',
    source: 'local',
    threads: [
      {
        thread_id: best,
        title: 'Storage',
        workspace: `${place.dir}/workspace`,
        profile: 'craft',
        updated: '2023-11-14T22:13:20.000Z',
        events: 2,
        pos: 2,
        score: 1,
        snippet: 'We refactored the database layer',
      },
    ],
  })
  expect(text).toBe(`${best}  2023-11-14  Storage\n  event 2 of 2: We refactored the database layer`)
  const own = await call(findThread, { query: 'database layer' }, place.ctx())
  expect(own.data?.threads.map((thread) => thread.title)).toEqual(['Storage'])
  const both = await call(findThread, { query: 'database layer', source: 'all' }, place.ctx())
  expect(both.data?.threads.map((thread) => thread.title)).toEqual(['Storage', 'Other'])
  expect(both.text).toContain('Other  in /elsewhere')
})

test('does not list the calling thread', async () => {
  const own = record('Own', 'needle')
  const other = record('Other', 'needle')
  const { data } = await call(findThread, { query: 'needle' }, place.ctx({ thread: own }))
  expect(data?.threads.map((thread) => thread.thread_id)).toEqual([other])
})

test('finding nothing is a success', async () => {
  for (const query of ['needle', '"', '* OR (', '\u0000']) {
    const result = await call(findThread, { query }, place.ctx())
    expect(result.failed).toBeUndefined()
    expect(result.data?.threads).toEqual([])
  }
})

test('rejects another source', async () => {
  const { failed } = await call(findThread, { query: 'x', source: 'cloud' }, place.ctx())
  expect(failed).toMatchObject({ code: 'bad_args', message: expect.stringContaining('cloud') })
})

test('rejects an empty query and a limit of 0', async () => {
  await expect(call(findThread, { query: '', limit: 0 }, place.ctx())).rejects.toThrow(/query.*limit/)
})

test('includes other directories of the repository, but not a directory with a forged .git file', async () => {
  const dir = repoWith({ 'a.txt': 'a', 'sub/b.txt': 'b' })
  const tree = `${scratch()}/tree`
  git(dir, 'worktree', 'add', '-q', tree)
  const liar = scratch()
  writeFileSync(`${liar}/.git`, `gitdir: ${dir}/.git\n`)
  const linked = scratch()
  symlinkSync(`${dir}/.git`, `${linked}/.git`)
  record('Main', 'needle', dir)
  const titles = async (workspace: string) => {
    const ctx = place.ctx()
    const policy = { ...ctx.policy, roots: { ...ctx.policy.roots, workspace } }
    const { data } = await call(findThread, { query: 'needle' }, { ...ctx, policy })
    return data?.threads.map((thread) => thread.title)
  }
  for (const workspace of [dir, `${dir}/sub`, tree]) expect(await titles(workspace)).toEqual(['Main'])
  for (const workspace of [liar, linked, scratch()]) expect(await titles(workspace)).toEqual([])
})
