// Stopping one call, subagent or job of a session while the rest continues.
import { expect, it } from 'vitest'
import type { CallBlock, SessionView } from '../../../../../internal/session/view/session-view.ts'
import { serveModel } from '../../../../support/model-server.ts'
import { sessionWorld } from '../../../../support/session.ts'

const bash = (command: string, more: object = {}) => ({
  calls: [{ name: 'bash', args: { command, ...more } }],
})
const callsOf = (view: SessionView) =>
  view.blocks.filter((block): block is CallBlock => block.kind === 'call')

it('ends a call with its output so far, tells the model who stopped it, and the run continues', async () => {
  const server = await serveModel([bash('echo begun; sleep 60'), { text: 'as you like' }])
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'test' }
  const { open } = await sessionWorld([], {}, env)
  try {
    const session = await open(undefined, { model: 'openai/scripted', mode: 'unrestricted' })
    await session.say('begin')
    const { calls } = await session.until((now) => now.calls[0]?.message?.includes('begun') === true)
    const call = calls[0]?.call ?? ''
    expect(await session.send({ type: 'interrupt', call })).toMatchObject({ ok: true })
    const view = await session.idle()
    expect(view.blocks.at(-1)).toMatchObject({ kind: 'end', end: 'done' })
    expect(callsOf(view)[0]?.result).toMatchObject({ ok: false, code: 'cancelled' })
    expect(JSON.stringify(server.requests[1]?.body.messages)).toMatch(/the user has stopped the call of bash/)
    expect(await session.send({ type: 'interrupt', call })).toMatchObject({ ok: false, code: 'not_found' })
  } finally {
    await server.close()
  }
})

it('ends a subagent by its thread, a shell command of the user, and a job', async () => {
  const title = 'Look for it'
  const { open } = await sessionWorld([
    { calls: [{ name: 'task', args: { title, goal: 'find it' } }] },
    { task: title, calls: [{ name: 'bash', args: { command: 'sleep 60' } }] },
    bash('sleep 60', { background: true }),
    { text: 'left alone' },
  ])
  const session = await open(undefined, { mode: 'unrestricted' })
  await session.say('begin')
  const { children } = await session.until((now) => now.children.length === 1)
  await session.until((now) => now.blocks.some((one) => one.kind === 'call' && one.child !== undefined))
  expect(await session.send({ type: 'interrupt', call: children[0]?.thread ?? '' })).toMatchObject({
    ok: true,
  })
  const view = await session.idle()
  expect(callsOf(view).map(({ tool, result }) => [tool, result?.ok])).toEqual([
    ['task', false],
    ['bash', true],
  ])
  expect(view.jobs).toHaveLength(1)
  await session.send({ type: 'interrupt', call: view.jobs[0]?.job ?? '' })
  await session.until(({ jobs }) => jobs.length === 0)
  await session.send({ type: 'run_shell', line: 'sleep 60', tell: false })
  const own = await session.until(({ calls }) => calls.length === 1)
  await session.send({ type: 'interrupt', call: own.calls[0]?.call ?? '' })
  await session.until(({ calls }) => calls.length === 0)
})
