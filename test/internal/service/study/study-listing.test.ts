// The list of studies with question, status and cost, of one workspace or of all.
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { summarizeStudies } from '../../../../internal/service/study/study-listing.ts'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { makeStudyEntry, type StudyHead } from '../../../../internal/study/log/entries.ts'
import { scratch } from '../../../support/scratch.ts'
import { finished } from '../../../support/study.ts'

const ids = ['01JD3K8QAAAAAAAAAAAAAAAAAA', '01JD3K8QBBBBBBBBBBBBBBBBBB'] as const

/** Creates two studies, started in the directories `one` and `two`. */
async function stored(over: Partial<StudyHead> = {}) {
  const dir = realpathSync(scratch())
  const [one, two] = ['one', 'two'].map((name) => join(dir, name)) as [string, string]
  const journal = await openJournal(dir)
  for (const [i, project] of [one, two].entries()) {
    mkdirSync(project)
    const id = ids[i] as string
    const [first, ...rest] = finished({ id, project, root: project, created: i + 1, ...over })
    if (!first) throw new Error('no head')
    await journal.create(id, first, {})
    await journal.append(id, rest)
  }
  return { journal, one, two, env: { ANODE_DATA_DIR: dir } }
}

const step = (usd: number | null) =>
  makeStudyEntry('step', {
    task: 't1',
    n: 1,
    request: 'r',
    mail: [],
    notes: [],
    reply: { text: '', calls: [], end: 'stop' } as never,
    usage: { input: 400, output: 100, usd },
    ms: 5,
  })

it('lists those of one workspace, or of all, newest first', async () => {
  const { journal, one, two, env } = await stored()
  await journal.close()
  const list = async (more: { everywhere: boolean; limit?: number }, cwd = one) =>
    (await summarizeStudies({ cwd, env, ...more })).map(({ id }) => id)
  expect(await list({ everywhere: false })).toEqual([ids[0]])
  expect(await list({ everywhere: false }, two)).toEqual([ids[1]])
  expect(await list({ everywhere: true })).toEqual([ids[1], ids[0]])
  expect(await list({ everywhere: true, limit: 1 })).toEqual([ids[1]])
})

it('reports the status and the cost of a study', async () => {
  const { journal, one, env } = await stored({ model: { name: 'openai/gpt-5.4', kind: 'llm' } })
  await journal.append(ids[0], [step(0.25), makeStudyEntry('status', { status: 'partial', reason: 'gaps' })])
  await journal.append(ids[1], [step(null), makeStudyEntry('status', { status: 'done' })])
  const lines = await journal.read(ids[0], 0, 100)
  await journal.close()
  const [second, first] = await summarizeStudies({ cwd: one, env, everywhere: true })
  expect(first).toEqual({
    id: ids[0],
    question: 'How does the store lock files, and what happens on a crash?',
    status: 'partial',
    outcome: 'partial',
    reason: 'gaps',
    abandoned: false,
    created: 1,
    updated: lines.at(-1)?.ts,
    workspace: one,
    model: { name: 'openai/gpt-5.4', kind: 'llm' },
    tokens: 500,
    usage: { fresh: 400, cache_read: 0, cache_write: 0, output: 100 },
    usd: 0.25,
    tokens_estimated: false,
    entries: lines.length,
  })
  expect(second).toMatchObject({ status: 'done', outcome: 'done', reason: null, usd: null })
})

it('is empty if nothing was ever stored, and stores nothing', async () => {
  const dir = realpathSync(scratch())
  const env = { ANODE_DATA_DIR: join(dir, 'data') }
  expect(await summarizeStudies({ cwd: dir, env, everywhere: true })).toEqual([])
  mkdirSync(join(dir, 'data'))
  expect(await summarizeStudies({ cwd: dir, env, everywhere: true })).toEqual([])
})
