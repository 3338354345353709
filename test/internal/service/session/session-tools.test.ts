// State of a session that survives runs and processes: its toolset, its plan, its jobs.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { CallBlock, SessionView } from '../../../../internal/session/view/session-view.ts'
import { sessionWorld } from '../../../support/session.ts'

const calls = (name: string, args: object) => ({ calls: [{ name, args }] })
const resultsOf = (view: SessionView) =>
  view.blocks.flatMap((one) => (one.kind === 'call' ? [(one as CallBlock).result] : []))

it('a thread and its forks keep their toolset, and another toolset is rejected', async () => {
  const read = calls('read_file', { path: 'src/a.ts' })
  const { open, reopen } = await sessionWorld([read, { text: 'one' }, read, { text: 'two' }])
  const session = await open(undefined, { toolset: { name: 'hooman' } })
  await session.say('read it')
  const { thread } = await session.idle()
  await session.client.detach()
  const service = await reopen()
  const again = await open({ kind: 'resume', thread }, { service })
  await again.say('again')
  const view = await again.until((now) => resultsOf(now).length === 2 && now.run === undefined)
  expect(resultsOf(view)).toMatchObject([{ ok: true }, { ok: true }])
  const init = again.events.findLast(({ type }) => type === 'system.init')
  expect(init?.payload).toMatchObject({ toolset: 'hooman' })
  // a shell command of the user runs with any toolset
  await again.send({ type: 'run_shell', line: 'echo own', tell: false })
  await again.until((now) => resultsOf(now).some((result) => result?.text.includes('own')))
  await again.client.detach()
  const other = await reopen()
  for (const kind of ['resume', 'fork'] as const)
    await expect(open({ kind, thread }, { service: other, toolset: { name: 'ah' } })).rejects.toThrow(
      'the thread works with the toolset hooman, not with ah',
    )
  await expect(open(undefined, { toolset: { name: 'ha' } })).rejects.toThrow('unknown toolset ha')
  await expect(open(undefined, { toolset: { name: 'ah' }, model: 'builtin/extract' })).rejects.toThrow(
    'works with the tools of anode alone',
  )
})

it('a session resumes planning in another process, also as a fork', async () => {
  const { open, reopen, cwd, data } = await sessionWorld([calls('enter_plan_mode', {}), { text: 'planning' }])
  const session = await open(undefined, { toolset: { name: 'hooman' }, mode: 'unrestricted' })
  await session.say('plan it')
  const { thread } = await session.idle()
  writeFileSync(join(data, 'plans', `${thread}.md`), '# Plan\n')
  await session.client.detach()
  const replies = [calls('write_file', { path: 'b.txt', content: 'b' }), { text: 'denied' }]
  const script = join(cwd, '..', `${thread}.jsonl`)
  writeFileSync(script, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  onTestFinished(() => rmSync(script))
  const wishes = { service: await reopen(), mode: 'unrestricted', model: `script:${script}` } as const
  const copy = await open({ kind: 'fork', thread }, wishes)
  await copy.say('go')
  const view = await copy.until((now) => resultsOf(now).length === 2 && now.run === undefined)
  expect(resultsOf(view)[1]).toMatchObject({ ok: false, text: expect.stringContaining('only its file') })
  expect(existsSync(join(cwd, 'b.txt'))).toBe(false)
  expect(readFileSync(join(data, 'plans', `${view.thread}.md`), 'utf8')).toBe('# Plan\n')
})

it('jobs survive their run, and the end of a job with wake starts a run', async () => {
  const wait = 'while [ ! -e go ]; do sleep 0.02; done; echo ready'
  const { open, cwd } = await sessionWorld([
    calls('bash', { command: wait, background: true, wake: true }),
    { text: 'started' },
    { text: 'it is ready' },
  ])
  const session = await open(undefined, { mode: 'unrestricted' })
  await session.say('start it')
  await session.idle()
  const end = session.events.findLast(({ type }) => type === 'run.ended')
  expect(end?.payload).toMatchObject({ jobs: { started: 1, stopped: 0 } })
  writeFileSync(join(cwd, 'go'), '')
  const view = await session.until((now) => now.run === undefined && now.blocks.at(-1)?.kind === 'end')
  await session.until((now) => now.blocks.some((one) => one.kind === 'answer' && one.text === 'it is ready'))
  expect(view.thread).toBe(session.client.thread)
  const told = session.events.find(({ type, payload }) => type === 'message' && 'origin' in payload)
  expect(told?.payload).toMatchObject({ origin: 'note', text: expect.stringContaining('ended: exit 0') })
})

it('the end of a job without wake is a row, and the model gets it with the next message', async () => {
  const wait = 'while [ ! -e go ]; do sleep 0.02; done; exit 3'
  const { open, cwd } = await sessionWorld([
    calls('bash', { command: wait, background: true }),
    { text: 'started' },
    { text: 'I see' },
  ])
  const session = await open(undefined, { mode: 'unrestricted' })
  await session.say('start it')
  await session.idle()
  writeFileSync(join(cwd, 'go'), '')
  const ended = await session.until((view) => view.jobs.length === 0)
  expect(ended.blocks.at(-1)).toMatchObject({ kind: 'notice', text: expect.stringContaining('exit 3') })
  await session.say('and?')
  const view = await session.idle()
  expect(session.events.filter(({ type }) => type === 'system.init')).toHaveLength(2)
  const notes = view.blocks.filter((one) => one.kind === 'user' && one.origin === 'note')
  expect(notes).toMatchObject([{ text: expect.stringMatching(/^job_1 .* ended: exit 3/) }])
})

it('the end of a job starts no run after a stopped run, and the model gets it with the next message', async () => {
  const wait = 'while [ ! -e go ]; do sleep 0.02; done; echo ready'
  const { open, cwd } = await sessionWorld([
    calls('bash', { command: wait, background: true, wake: true }),
    calls('bash', { command: 'sleep 60' }),
    { text: 'it is ready' },
  ])
  const session = await open(undefined, { mode: 'unrestricted' })
  await session.say('start it')
  await session.until((view) => view.jobs.length === 1 && view.calls.length === 1)
  await session.send({ type: 'interrupt' })
  await session.idle()
  writeFileSync(join(cwd, 'go'), '')
  const ended = await session.until((view) => view.jobs.length === 0)
  expect(ended.blocks.at(-1)).toMatchObject({ kind: 'notice', text: expect.stringContaining('exit 0') })
  await session.say('go on')
  const view = await session.idle()
  const last = view.blocks.flatMap((one) => (one.kind === 'user' ? [`${one.origin} ${one.text}`] : []))
  expect(last).toEqual([
    ...['undefined start it', 'undefined go on'],
    expect.stringMatching(/^note job_1 .* ended: exit 0/),
  ])
  expect(view.blocks.filter(({ kind }) => kind === 'end')).toHaveLength(2)
})

it('steering wakes a call that only waits', async () => {
  const { open } = await sessionWorld([calls('sleep', { seconds: 3600 }), { text: 'woken' }])
  const session = await open(undefined, { toolset: { name: 'hooman' } })
  await session.say('wait')
  await session.until(({ calls: open }) => open.length === 1)
  await session.send({ type: 'steer', content: 'stop waiting' })
  const view = await session.idle()
  expect(resultsOf(view)[0]?.text).toContain('"status":"woken"')
})
