// Handoff of a session's run to another process: the transferred state, pending calls, and a failed handoff.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { UserError } from '../../../../../internal/base/errors.ts'
import { withDataStore } from '../../../../../internal/runtime/workspace/data-store.ts'
import { joinRun } from '../../../../../internal/service/runs/run-access.ts'
import { createRunPlaces } from '../../../../../internal/service/runs/run-locations.ts'
import { serveRunProcess } from '../../../../../internal/service/runs/run-process.ts'
import type { HandOverOrder, RunPlaces } from '../../../../../internal/service/session/handover/hand-over.ts'
import { openLocalService } from '../../../../../internal/service/session/local-service.ts'
import type { SessionClient } from '../../../../../internal/session/client.ts'
import type { PermissionAnswer } from '../../../../../internal/session/commands.ts'
import { scratchWith } from '../../../../support/scratch.ts'
import { watchClient } from '../../../../support/session.ts'

const bash = (command: string) => ({ name: 'bash', args: { command } })
const calls = (...made: object[]) => ({ calls: made })
const slow = (word: string, file = 'go') =>
  bash(`echo ${word} >> marks; while [ ! -e ${file} ]; do sleep 0.02; done`)

/** Opens a session whose run can continue in another session of this process, unless `start` is set. */
async function ground(
  replies: readonly object[],
  more: { start?: RunPlaces['start']; limits?: { tokens?: number; maxTurns?: number } } = {},
) {
  const cwd = scratchWith({ 'a.txt': 'one\n' })
  const home = scratchWith({})
  const file = join(home, 'replies.jsonl')
  writeFileSync(file, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const env = { PATH: process.env.PATH, HOME: home, ANODE_DATA_DIR: join(home, 'data') }
  const end = new AbortController()
  const orders: HandOverOrder[] = []
  const served: Promise<void>[] = []
  onTestFinished(async () => {
    end.abort()
    await Promise.all(served)
  })
  const begin = ({ thread, ...order }: HandOverOrder) =>
    new Promise<'started' | 'taken'>((resolve, reject) => {
      served.push(
        serveRunProcess(
          { ...order, source: { kind: 'resume', thread } },
          {
            env,
            signal: end.signal,
            reply: (reply) =>
              reply.kind === 'refused' ? reject(new UserError(reply.message)) : resolve(reply.kind),
          },
        ),
      )
    })
  const places = createRunPlaces({ env, program: '' })
  const runs: RunPlaces = {
    ...places,
    start(order) {
      orders.push(JSON.parse(JSON.stringify(order)))
      return (more.start ?? begin)(order)
    },
  }
  const service = await openLocalService({
    ...{ cwd, env, addDirs: [], note: () => undefined, runs },
    ...(more.limits && { limits: more.limits }),
  })
  onTestFinished(() => service.close())
  const client = await service.openSession({ kind: 'new' }, { model: `script:${file}`, mode: 'ask' })
  const session = watchClient(client)
  return {
    cwd,
    env,
    service,
    orders,
    session,
    go: (name = 'go') => writeFileSync(join(cwd, name), ''),
    marks: () =>
      existsSync(join(cwd, 'marks')) ? readFileSync(join(cwd, 'marks'), 'utf8').trim().split('\n') : [],
    /** Returns the run in its current process. */
    async elsewhere() {
      const joined = await joinRun(env.ANODE_DATA_DIR, client.thread)
      const watched = watchClient(joined as SessionClient)
      await watched.until(() => watched.events.some(({ type }) => type === 'session.snapshot'), 'a snapshot')
      return watched
    },
    events: () => withDataStore(env, (store) => store.threads.events(client.thread, 0, 500)),
  }
}

function leave(client: SessionClient) {
  const [stay, hurry] = [new AbortController(), new AbortController()]
  const reply = client.handOver?.({ stay: stay.signal, hurry: hurry.signal })
  return { stay: () => stay.abort(), hurry: () => hurry.abort(), reply }
}

const allow: PermissionAnswer = { allow: true, scope: 'once', rules: [] }
const handedOver = { kind: 'handed_over' }

it('asks again for pending approvals in the new process, with all settings of the session', async () => {
  const at = await ground(
    [
      calls(bash('echo a >> marks'), { name: 'read', args: { path: 'a.txt' } }, bash('echo b >> marks')),
      { text: 'Done.' },
      { text: 'The next as well.' },
    ],
    { limits: { tokens: 900_000, maxTurns: 7 } },
  )
  const { session } = at
  await session.send({ type: 'set_effort', effort: 'high' })
  await session.send({ type: 'add_dir', path: at.env.HOME })
  await session.say('Do it')
  const [first] = (await session.until(({ waits }) => waits.length > 0)).waits
  const [offer] = first?.always === undefined ? [] : [first.always].flat()
  expect(offer).toMatchObject({ rule: { action: 'allow', tool: 'bash' } })
  await session.send({
    type: 'answer_permission',
    call: first?.call ?? '',
    answer: { allow: true, scope: 'session', rules: [0] },
  })
  await session.until(({ waits }) => waits.length > 0 && waits[0]?.call !== first?.call)
  await session.send({ type: 'queue', content: 'and the next', files: [{ path: 'a.txt' }] })
  expect(await leave(session.client).reply).toEqual(handedOver)
  expect(at.orders).toMatchObject([
    {
      settings: { mode: 'ask' },
      carried: {
        ...{ effort: 'high', addedDirs: [at.env.HOME], limits: { maxTurns: 7 } },
        ...{
          rules: [{ action: 'allow' }],
          queued: [{ files: [{ path: 'a.txt' }] }],
          run: { maxTurns: expect.any(Number) },
        },
      },
    },
  ])
  expect(await session.say('more')).toMatchObject({ ok: false, code: 'closed' })
  const now = await at.elsewhere()
  const [again] = (await now.until(({ waits }) => waits.length > 0, 'the question')).waits
  expect(again?.args).toMatchObject({ command: 'echo b >> marks' })
  expect(at.marks()).toEqual(['a'])
  await now.send({ type: 'answer_permission', call: again?.call ?? '', answer: allow })
  await now.until(({ blocks, run }) => !run && JSON.stringify(blocks).includes('The next as well.'))
  expect(at.marks()).toEqual(['a', 'b'])
  const results = (await at.events()).flatMap(({ type, payload }) =>
    type === 'tool.result' ? [payload] : [],
  )
  // three calls of the model, and the file of the queued message
  expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true])
})

it('asks a question again, and continues with the rest of the interrupted response', async () => {
  const at = await ground([
    calls(
      { name: 'ask_user', args: { question: 'Which one?', options: [{ id: 'a', label: 'A' }] } },
      { name: 'read', args: { path: 'a.txt' } },
    ),
    { text: 'Done.' },
  ])
  await at.session.say('Do it')
  await at.session.until(({ questions }) => questions.length > 0)
  expect(await leave(at.session.client).reply).toEqual(handedOver)
  const now = await at.elsewhere()
  const [asked] = (await now.until(({ questions }) => questions.length > 0)).questions
  const answers = (asked?.questionnaire.questions ?? []).map(({ id }) => ({ id, option: 'a' }))
  const answer = { status: 'answered' as const, answers }
  expect(await now.send({ type: 'answer_question', call: asked?.call ?? '', answer })).toMatchObject({
    ok: true,
  })
  await now.idle()
  const types = (await at.events()).flatMap((event) =>
    event.type === 'tool.result' || event.type === 'question.answered' ? [event.payload] : [],
  )
  expect(types).toMatchObject([
    { status: 'answered' },
    { tool: 'ask_user', ok: true },
    { tool: 'read', ok: true },
  ])
})

it('waits for the end of the step, stays on request, and interrupts a call at once on request', async () => {
  const at = await ground([
    calls(slow('a')),
    calls(slow('b', 'never'), bash('echo c >> marks')),
    { text: 'Done.' },
  ])
  const { session } = at
  await session.send({ type: 'set_mode', mode: 'unrestricted' })
  await session.say('Do it')
  await expect.poll(at.marks, { timeout: 20_000 }).toEqual(['a'])
  const first = leave(session.client)
  await expect(leave(session.client).reply).resolves.toMatchObject({ kind: 'refused' })
  first.stay()
  expect(await first.reply).toEqual({ kind: 'stayed' })
  at.go()
  await expect.poll(at.marks, { timeout: 20_000 }).toEqual(['a', 'b'])
  const second = leave(session.client)
  second.hurry()
  expect(await second.reply).toEqual(handedOver)
  const now = await at.elsewhere()
  await now.idle()
  expect(at.marks()).toEqual(['a', 'b', 'c'])
  const results = (await at.events()).flatMap(({ type, payload }) =>
    type === 'tool.result' ? [payload] : [],
  )
  expect(results).toMatchObject([{ ok: true }, { ok: false, code: 'interrupted' }, { ok: true }])
  const ends = (await at.events()).flatMap(({ type, payload }) => (type === 'run.ended' ? [payload] : []))
  expect(ends).toMatchObject([{ end: 'cancelled', reason: 'handed over' }, { end: 'done' }])
})

it('continues in this process if no other takes it, and asks again for pending approvals', async () => {
  const at = await ground([calls(bash('echo a >> marks')), { text: 'Done.' }], {
    start: async () => {
      throw new UserError('no place is left', { hint: 'try later' })
    },
  })
  const { session } = at
  await session.say('Do it')
  const [before] = (await session.until(({ waits }) => waits.length > 0)).waits
  const reply = await leave(session.client).reply
  expect(reply).toEqual({ kind: 'refused', message: 'no place is left', hint: 'try later' })
  const [again] = (
    await session.until(({ waits }) => waits[0] !== undefined && waits[0].call !== before?.call)
  ).waits
  await session.send({ type: 'answer_permission', call: again?.call ?? '', answer: allow })
  await session.until(({ run, blocks }) => !run && JSON.stringify(blocks).includes('Done.'))
  expect(at.marks()).toEqual(['a'])
})

it('stops instead of driving a thread that another process serves', async () => {
  const at = await ground([calls(slow('a')), { text: 'Done.' }], { start: async () => 'taken' })
  await at.session.send({ type: 'set_mode', mode: 'unrestricted' })
  await at.session.say('Do it')
  await expect.poll(at.marks, { timeout: 20_000 }).toEqual(['a'])
  const { reply } = leave(at.session.client)
  at.go()
  expect(await reply).toMatchObject({ kind: 'refused', hint: expect.stringContaining('anode attach sess_') })
  expect(at.session.view().run).toBeUndefined()
})

it('ends instead of a handoff if the run is done and nothing is queued', async () => {
  const at = await ground([calls(slow('a')), { text: 'One.' }, { text: 'Two.' }])
  const { session } = at
  await session.send({ type: 'set_mode', mode: 'unrestricted' })
  await session.say('Do it')
  await expect.poll(at.marks, { timeout: 20_000 }).toEqual(['a'])
  at.go()
  await session.until(({ blocks }) => JSON.stringify(blocks).includes('One.'))
  await session.idle()
  expect(await leave(session.client).reply).toEqual({ kind: 'ended' })
  expect(at.orders).toEqual([])
})

it('ends background commands and tells the model', async () => {
  const job = { name: 'bash', args: { command: 'sleep 60', background: true } }
  const at = await ground([calls(job), calls(slow('a')), { text: 'Done.' }])
  const { session } = at
  await session.send({ type: 'set_mode', mode: 'unrestricted' })
  await session.say('Do it')
  await expect.poll(at.marks, { timeout: 20_000 }).toEqual(['a'])
  expect(session.view().jobs).toHaveLength(1)
  const { reply } = leave(session.client)
  at.go()
  expect(await reply).toEqual(handedOver)
  await (await at.elsewhere()).idle()
  const events = await at.events()
  const ended = events.findIndex(({ type }) => type === 'job.ended')
  const told = events.findIndex(
    (event) => event.type === 'message' && event.payload.text.includes('sleep 60'),
  )
  expect(ended).toBeGreaterThan(0)
  expect(told).toBeGreaterThan(ended)
})
