// A session with a relay: the clients of the run and the relay are asked at once, and one answer counts.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { SessionCommand } from '../../../../internal/session/commands.ts'
import { relayProgram } from '../../../support/relay.ts'
import { scratch } from '../../../support/scratch.ts'
import { sessionWorld } from '../../../support/session.ts'

const touch = { calls: [{ name: 'bash', args: { command: 'touch made' } }] }
const ask = {
  calls: [{ name: 'ask_user', args: { question: 'Which?', options: [{ id: 'a', label: 'A' }] } }],
}

function settings(approvals: object): Record<string, string> {
  const path = join(scratch(), 'config.json')
  writeFileSync(path, JSON.stringify({ approvals }))
  return { ANODE_CONFIG: path }
}

it('accepts the answer of the relay and closes the question of the clients', async () => {
  const { command } = relayProgram(
    'console.log(question.kind === \'approval\' ? \'{"allow":true}\' : \'{"option":"a"}\')',
  )
  const { open, cwd } = await sessionWorld(
    [touch, ask, { text: 'done' }],
    {},
    settings({ relay: { command } }),
  )
  const session = await open(undefined, { mode: 'ask' })
  await session.say('touch it')
  const view = await session.idle()
  expect([view.waits, view.questions, existsSync(join(cwd, 'made'))]).toEqual([[], [], true])
  const told = session.events.flatMap(({ type, payload }) =>
    type === 'permission.decided' || type === 'question.answered' || type === 'model.notice' ? [payload] : [],
  )
  expect(told).toMatchObject([
    { code: 'note', text: 'the relay allowed it: bash' },
    { action: 'allow', why: 'the relay allowed it' },
    { status: 'answered' },
  ])
})

it('accepts the answer of a client and notifies the relay, whose late answer is ignored', async () => {
  const { command, dir } = relayProgram(
    "process.on('SIGTERM', () => { writeFileSync(question.kind + '.told', ''); console.log('{\"allow\":true}'); process.exit() })\n" +
      "writeFileSync(question.kind, ''); setInterval(() => 0, 1000)",
  )
  const more = { ...settings({ relay: { command } }) }
  const { open, cwd } = await sessionWorld([touch, { text: 'done' }], {}, { ...more, HOME: dir })
  const session = await open(undefined, { mode: 'ask' })
  await session.say('touch it')
  const { waits } = await session.until((view) => view.waits.length === 1)
  await expect.poll(() => existsSync(join(dir, 'approval')), { timeout: 10_000 }).toBe(true)
  const answer: SessionCommand = {
    type: 'answer_permission',
    call: waits[0]?.call ?? '',
    answer: { allow: false },
  }
  expect(await session.send(answer)).toMatchObject({ ok: true })
  await session.idle()
  await expect.poll(() => existsSync(join(dir, 'approval.told'))).toBe(true)
  expect(existsSync(join(cwd, 'made'))).toBe(false)
})

it('ends the wait of a session without an answer', async () => {
  const { open, cwd } = await sessionWorld([touch, ask, { text: 'done' }], {}, settings({ wait: 1 }))
  const session = await open(undefined, { mode: 'ask' })
  await session.say('touch it')
  const view = await session.idle()
  expect([view.waits, view.questions, existsSync(join(cwd, 'made'))]).toEqual([[], [], false])
  const decided = session.events.flatMap((one) => (one.type === 'permission.decided' ? [one.payload] : []))
  expect(decided).toMatchObject([{ action: 'deny', why: 'no user answered within 1 s (approvals.wait)' }])
  const answered = session.events.flatMap((one) => (one.type === 'question.answered' ? [one.payload] : []))
  expect(answered).toMatchObject([{ status: 'no_user_available' }])
})
