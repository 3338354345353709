// Work that excludes runs (undo, redo, compaction, the check of a goal) at the same time as messages.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { CommandReply } from '../../../../../internal/session/client.ts'
import type { SessionCommand } from '../../../../../internal/session/commands.ts'
import { sessionWorld, type WatchedClient } from '../../../../support/session.ts'

const write = { calls: [{ name: 'create_file', args: { path: 'b.txt', content: 'b\n' } }] }
const answers = Array.from({ length: 8 }, () => ({ text: 'answered' }))

/** Opens a session in which the file b.txt was written, and a way to read whether it exists. */
async function openChanged() {
  const world = await sessionWorld([write, ...answers])
  const session = await world.open(undefined, { mode: 'edits' })
  await session.say('write b')
  await session.idle()
  return { session, hasFile: () => existsSync(join(world.cwd, 'b.txt')) }
}

const previewOf = (reply: CommandReply) => (reply.ok ? reply.undo?.id : undefined)

/** Returns the command that applies the undo which the session previews now. */
async function readyUndo(session: WatchedClient): Promise<SessionCommand> {
  const preview = previewOf(await session.send({ type: 'undo' }))
  return { type: 'undo', preview }
}

const endsOf = (session: WatchedClient) => session.view().blocks.filter(({ kind }) => kind === 'end').length

const works: readonly (readonly [string, (session: WatchedClient) => Promise<SessionCommand>])[] = [
  ['an undo', readyUndo],
  ['a compaction', async () => ({ type: 'compact' })],
  ['a second preview', async () => ({ type: 'undo' })],
]

it.each(works)('%s and a message sent together are both handled, one after the other', async (_, prepare) => {
  for (const isFirst of [true, false]) {
    const { session, hasFile } = await openChanged()
    const command = await prepare(session)
    const before = endsOf(session)
    const sends = [() => session.send(command), () => session.say('and now?')]
    const replies = await Promise.all((isFirst ? sends : sends.toReversed()).map((send) => send()))
    const [work, said] = isFirst ? replies : replies.toReversed()
    expect(said).toMatchObject({ ok: true })
    expect(work?.ok === true || work?.code === 'busy', JSON.stringify(work)).toBe(true)
    await session.until(
      ({ run, blocks, queue }) =>
        run === undefined &&
        queue.length === 0 &&
        blocks.filter(({ kind }) => kind === 'end').length > before,
      'the answer to the message',
    )
    if ('preview' in command) expect(hasFile()).toBe(!work?.ok)
  }
})

it('an undo that two clients confirm at the same time is done once, and one redo restores it', async () => {
  const { session, hasFile } = await openChanged()
  const undo = await readyUndo(session)
  const replies = await Promise.all(Array.from({ length: 4 }, () => session.send(undo)))
  expect(replies.filter(({ ok }) => ok)).toHaveLength(1)
  for (const reply of replies) if (!reply.ok) expect(['busy', 'changed']).toContain(reply.code)
  expect(hasFile()).toBe(false)
  const redo = { type: 'undo', redo: true } as const
  expect(await session.send({ ...redo, preview: previewOf(await session.send(redo)) })).toMatchObject({
    ok: true,
  })
  expect(hasFile()).toBe(true)
  expect(await session.send(redo)).toMatchObject({ ok: true, undo: { files: [] } })
})

it('work between two runs does not start the messages that an interrupted run left in the queue', async () => {
  const world = await sessionWorld([
    { calls: [{ name: 'bash', args: { command: 'sleep 600' } }] },
    ...answers,
  ])
  const session = await world.open(undefined, { mode: 'unrestricted' })
  await session.say('wait')
  await session.until(({ calls }) => calls.length > 0, 'the call')
  await session.send({ type: 'queue', content: 'later' })
  await session.send({ type: 'interrupt' })
  await session.idle()
  expect(session.view().queue).toHaveLength(1)
  expect(await session.send({ type: 'undo' })).toMatchObject({ ok: true })
  expect(await session.send({ type: 'compact' })).toMatchObject({ ok: true })
  expect(session.view()).toMatchObject({ run: undefined, queue: [{}] })
})
