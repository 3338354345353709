import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import {
  followStudy,
  isAbandoned,
  withStudy,
  withStudyMailbox,
} from '../../../../internal/service/study/known-studies.ts'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { makeStudyEntry, type StudyHead } from '../../../../internal/study/log/entries.ts'
import { isStudyOver } from '../../../../internal/study/log/task-end.ts'
import { withRedis } from '../../../support/redis.ts'
import { scratch } from '../../../support/scratch.ts'
import { finished, studyOf } from '../../../support/study.ts'

const id = '01JD3K8QAAAAAAAAAAAAAAAAAA'

/** Creates a study whose log has only started. `cwd` is its project. */
async function begun(over: Partial<StudyHead> = {}) {
  const dir = realpathSync(scratch())
  const journal = await openJournal(dir)
  const [first, ...rest] = finished({ id, project: dir, root: dir, ...over })
  if (!first) throw new Error('no head')
  await journal.create(id, first, {})
  return { journal, rest, at: { cwd: dir, env: { ANODE_DATA_DIR: dir } } }
}

it('follows a log while it is written, to its end', async () => {
  const { journal, rest, at } = await begun()
  const kinds: string[] = []
  const reading = withStudy('last', at, async (found) => {
    for await (const { kind } of followStudy(found, new AbortController().signal)) kinds.push(kind)
    return isStudyOver(await found.state())
  })
  for (const line of rest) await journal.append(id, [line])
  await journal.append(id, [makeStudyEntry('status', { status: 'done' })])
  expect(await reading).toBe(true)
  expect(kinds).toEqual(['study', ...rest.map(({ kind }) => kind), 'status'])
  await journal.close()
})

it('stops following when the signal aborts', async () => {
  const { journal, at } = await begun()
  const stop = new AbortController()
  await withStudy(id, at, async (found) => {
    for await (const _ of followStudy(found, stop.signal)) stop.abort()
  })
  await journal.close()
})

it('finds nothing in a directory without studies, and creates nothing', async () => {
  const dir = scratch()
  const found = withStudy('last', { cwd: dir, env: { ANODE_DATA_DIR: dir } }, async () => 1)
  await expect(found).rejects.toMatchObject({ exit: 2, message: 'no study in this project yet' })
})

it.each([
  ['its process is gone', { status: 'running', pid: 2 ** 22 - 1, host: hostname() }, true],
  ['its process lives', { status: 'running', pid: process.pid, host: hostname() }, false],
  ['it runs elsewhere', { status: 'running', pid: 2 ** 22 - 1, host: 'elsewhere' }, false],
  ['it has ended', { status: 'done', pid: 2 ** 22 - 1, host: hostname() }, false],
] as const)('detects an abandoned study: %s', (_, status, expected) => {
  expect(isAbandoned(studyOf([makeStudyEntry('status', status)]))).toBe(expected)
})

it('reads the mailboxes of a study that is stored here', async () => {
  const { journal, at } = await begun()
  await journal.mail.send({ scope: `study:${id}`, from: 't1', to: 't2', type: 'status', body: 'here' })
  const bodies = await withStudy(id, at, (found) =>
    withStudyMailbox(found, at.env, async (mail, scope) =>
      (await mail.list({ scope })).map(({ message }) => message.body),
    ),
  )
  expect(bodies).toEqual(['here'])
  await journal.close()
})

withRedis('a study on a server', (server) => {
  it('has its mailboxes on that server', async () => {
    const { journal, at } = await begun({ engine: server().url })
    const post = { scope: `study:${id}`, from: 't1', to: 't2', type: 'status', body: 'there' } as const
    const bodies = await withStudy(id, at, (found) =>
      withStudyMailbox(found, at.env, async (mail, scope) => {
        await mail.send(post)
        return (await mail.list({ scope })).map(({ message }) => message.body)
      }),
    )
    expect(bodies).toEqual(['there'])
    expect(await journal.mail.list({ scope: post.scope })).toEqual([])
    await journal.close()
  })
})
