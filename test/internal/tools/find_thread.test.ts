// find_thread: hits with snippets, the present thread left out, hostile queries.
import { expect, test } from 'vitest'
import { findThread } from '../../../internal/tools/find_thread.ts'
import { call } from '../../support/ctx.ts'
import { shelf } from '../../support/store.ts'

const place = shelf()

function record(title: string, text: string, workspace = `${place.dir}/workspace`) {
  const { id } = place.store.threads.create({ workspace, title, profile: 'craft' })
  place.store.threads.append(id, 'r', [
    { type: 'message', payload: { role: 'user', text: 'start' } },
    { type: 'message', payload: { role: 'assistant', text } },
  ])
  return id
}

test('the best thread comes first, with id, place and snippet', async () => {
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
  const both = await call(findThread, { query: 'database layer' }, place.ctx())
  expect(both.data?.threads.map((thread) => thread.title)).toEqual(['Storage', 'Other'])
  expect(both.text).toContain('Other  in /elsewhere')
})

test('the thread that asks is left out', async () => {
  const own = record('Own', 'needle')
  const other = record('Other', 'needle')
  const { data } = await call(findThread, { query: 'needle' }, place.ctx({ thread: own }))
  expect(data?.threads.map((thread) => thread.thread_id)).toEqual([other])
})

test('nothing found is a success', async () => {
  for (const query of ['needle', '"', '* OR (', '\u0000']) {
    const result = await call(findThread, { query }, place.ctx())
    expect(result.failed).toBeUndefined()
    expect(result.data?.threads).toEqual([])
  }
})

test('other sources do not exist', async () => {
  const { failed } = await call(findThread, { query: 'x', source: 'cloud' }, place.ctx())
  expect(failed).toMatchObject({ code: 'bad_args', message: expect.stringContaining('cloud') })
})

test('an empty query and a limit of 0 are refused', async () => {
  await expect(call(findThread, { query: '', limit: 0 }, place.ctx())).rejects.toThrow(/query.*limit/)
})
