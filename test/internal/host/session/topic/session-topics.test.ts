// What can be followed beside a session: a study and experiments of its workspace, from their real records.
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { appendEntry, parseLedger } from '../../../../../internal/research/ledger/ledger.ts'
import { sessionHomeOf } from '../../../../../internal/research/workspace/session-home.ts'
import type { TopicEvent } from '../../../../../internal/session/client.ts'
import type { SessionTopic } from '../../../../../internal/session/topics.ts'
import { openJournal } from '../../../../../internal/store/journal/sqlite.ts'
import { makeStudyEntry } from '../../../../../internal/study/log/entries.ts'
import { sessionWorld, type WatchedClient } from '../../../../support/session.ts'
import { head, task } from '../../../../support/study.ts'
import { lines } from '../../../research/report/sample.ts'

/** What comes of a topic, and a promise for each next board that fits. */
function follow({ client }: WatchedClient, topic: SessionTopic) {
  const stop = new AbortController()
  const events = (client.readTopic as NonNullable<typeof client.readTopic>)(topic, 0, stop.signal)
  const boards = events[Symbol.asyncIterator]()
  const until = async (fits: (event: TopicEvent) => boolean): Promise<TopicEvent> => {
    for (;;) {
      const { value, done } = await boards.next()
      if (done) throw new Error('it has ended')
      if (fits(value)) return value
    }
  }
  return { until, next: () => boards.next(), stop: () => stop.abort() }
}

it('is a study from its first line to its end, and not one from before', async () => {
  const { open, data, cwd } = await sessionWorld([])
  const session = await open()
  const journal = await openJournal(data)
  const project = realpathSync(cwd)
  const begin = async (id: string, question: string) =>
    journal.create(id, makeStudyEntry('study', head({ id, question, project, created: Date.now() })), {})
  await begin('01AAAAAAAAAAAAAAAAAAAAAAAA', 'Which was first?')
  const since = Date.now() + 1
  await new Promise((resolve) => setTimeout(resolve, 5))
  const study = follow(session, { kind: 'study', since })
  const first = study.next()
  await begin('01BBBBBBBBBBBBBBBBBBBBBBBB', 'Which is second?')
  expect((await first).value).toMatchObject({
    type: 'study.board',
    payload: { question: 'Which is second?', isOver: false, tasks: [] },
  })
  const tasks = [task(1, 'locks'), task(2, 'crashes')]
  const plan = makeStudyEntry('plan', { of: 'rules', tasks, dropped: [], notices: [] })
  await journal.append('01BBBBBBBBBBBBBBBBBBBBBBBB', [plan])
  await study.until(({ type, payload }) => type === 'study.board' && payload.tasks.length === 2)
  await journal.append('01BBBBBBBBBBBBBBBBBBBBBBBB', [makeStudyEntry('status', { status: 'cancelled' })])
  await study.until(({ type, payload }) => type === 'study.board' && payload.isOver)
  expect(await study.next()).toEqual({ value: undefined, done: true })
  const named = follow(session, { kind: 'study', study: '01AAAAAAAAAAAAAAAAAAAAAAAA' })
  await named.until(({ type, payload }) => type === 'study.board' && payload.question === 'Which was first?')
  named.stop()
  expect((await named.next()).done).toBe(true)
  await journal.close()
})

it('is the experiment session of the workspace as its ledger grows', async () => {
  const { open, data, cwd } = await sessionWorld([])
  const session = await open()
  const experiment = follow(session, { kind: 'experiment' })
  const first = experiment.next()
  const dir = join(sessionHomeOf(data, realpathSync(cwd)), 'try')
  mkdirSync(dir, { recursive: true })
  let ledger = parseLedger(new Uint8Array(), '')
  for (const line of lines.slice(0, -1)) ledger = await appendEntry(join(dir, 'ledger.jsonl'), ledger, line)
  expect((await first).value).toMatchObject({ type: 'experiment.board' })
  await appendEntry(join(dir, 'ledger.jsonl'), ledger, lines.at(-1) as { type: string })
  await experiment.until(({ type, payload }) => type === 'experiment.board' && payload.best === 6)
  experiment.stop()
  expect((await experiment.next()).done).toBe(true)
})
