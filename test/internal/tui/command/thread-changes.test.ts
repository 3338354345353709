// The changes of a thread that is too long for one view, including the changes of its agents.
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../../internal/store/sqlite.ts'
import { readWholeThread } from '../../../../internal/tui/command/history-pages.ts'
import { readThreadChanges } from '../../../../internal/tui/command/thread-changes.ts'
import { listOwnMessages } from '../../../../internal/tui/command/undo-command.ts'
import { sessionWorld } from '../../../support/session.ts'

const create = (path: string) => ({ name: 'create_file', args: { path, content: `${path}\n` } })
test('lists every change since the first event after the thread was resumed', async () => {
  const world = await sessionWorld([
    { calls: [create('first.txt')] },
    { calls: [{ name: 'task', args: { title: 'Make another', goal: 'make one' } }] },
    { calls: [create('child.txt')] },
    { text: 'made' },
    { calls: [create('last.txt')] },
    { text: 'done' },
  ])
  const { client, say, idle } = await world.open({ kind: 'new' }, { mode: 'edits' })
  await say('make files')
  await idle()
  const service = await world.reopen()
  const store = await openStore(world.data)
  onTestFinished(() => store.close())
  const titles = Array.from({ length: 600 }, (_, i) => ({
    type: 'session.changed' as const,
    payload: { title: `title ${i}` },
  }))
  const added = store.threads.append(client.thread, 'later', titles)
  const pos = added.at(-1)?.pos ?? 0
  const again = await world.open({ kind: 'resume', thread: client.thread }, { service, from: pos - 5 })
  const view = await again.until((now) => now.pos >= pos)
  expect(view.blocks).toEqual([])
  const changes = await readThreadChanges({ client: again.client, view })
  const [message, ...others] = listOwnMessages(await readWholeThread({ client: again.client, view }))
  expect([message?.text, [...(message?.paths ?? [])]]).toEqual(['make files', ['first.txt', 'last.txt']])
  expect(others).toEqual([])
  expect(changes.map(({ file, agent }) => [file.path, agent])).toEqual([
    ['first.txt', undefined],
    ['child.txt', 'Make another'],
    ['last.txt', undefined],
  ])
}, 180_000)
