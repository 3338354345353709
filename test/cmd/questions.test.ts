// Questions, plans and jobs of runs without a screen: answered by lines on standard input, or unanswered.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { eventsOf, ofType } from '../support/events.ts'
import { live } from '../support/live.ts'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

const call = (name: string, args: object) => ({ calls: [{ name, args }] })
const script = (...replies: object[]) =>
  at.put('replies.jsonl', replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
const words = ['execute', 'go', '--model', 'script:replies.jsonl', '--stream-json', '--stream-json-input']
const ask = { question: 'Which?', options: ['one', 'two'] }

it('an answer line answers the question with its id, once', async () => {
  script(call('ask_user', ask), { text: 'end' })
  const run = live(at, [...words, '--toolset', 'hooman'])
  const [, id] = await run.until(/"request_id":"(\w+)"/)
  run.send({ type: 'answer', request_id: 'question_0', option: '1' })
  run.send({ type: 'answer', request_id: id, text: 7 })
  run.send({ type: 'answer', request_id: id, option: 'two' })
  run.send({ type: 'answer', request_id: id, dismissed: true })
  run.end()
  const { code, out, err } = await run.done
  expect(code).toBe(0)
  const [asked] = ofType(eventsOf(out), 'question.asked')
  const [result] = ofType(eventsOf(out), 'tool.result')
  expect(asked?.payload).toMatchObject({ call: result?.payload.call, questions: [{ question: 'Which?' }] })
  expect(JSON.parse(result?.payload.text ?? '')).toEqual({ status: 'answered', answer: 'two', option: '2' })
  expect(err).toMatch(/"question_0" was ignored: no such question is open\n.*has neither `option` nor/)
  expect(err).toMatch(/it is the second one\n|no such question is open\n$/)
})

it.each([
  [{ text: 'neither' }, { status: 'answered', answer: 'neither' }],
  [{ dismissed: true }, { status: 'dismissed' }],
  [undefined, { status: 'no_user_available' }],
])('accepts %j, or the end of input, as an answer', async (given, expected) => {
  script(call('ask_user', ask), { text: 'end' })
  const run = live(at, [...words, '--toolset', 'hooman'])
  const [, id] = await run.until(/"request_id":"(\w+)"/)
  if (given) run.send({ type: 'answer', request_id: id, ...given })
  run.end()
  const { out } = await run.done
  const [result] = ofType(eventsOf(out), 'tool.result')
  expect(JSON.parse(result?.payload.text ?? '')).toMatchObject(expected)
})

it('--plan changes nothing until the plan is approved, and resuming a thread keeps the mode', async () => {
  const write = call('create_file', { path: 'b.txt', content: 'b' })
  script(write, { text: 'still planning' })
  const plan = ['execute', '--model', 'script:replies.jsonl', '--approval', 'yolo', '--stream-json']
  const first = eventsOf((await at.anode([...plan, '--plan', 'x'])).out)
  const file = ofType(first, 'plan.changed')[0]?.payload.path as string
  expect(ofType(first, 'system.init')[0]?.payload.tools).toContain('plan_exit')
  expect(ofType(first, 'tool.result')[0]?.payload).toMatchObject({ ok: false, code: 'denied' })
  script(call('create_file', { path: file, content: '# Plan\n' }), call('plan_exit', {}), write, {
    text: 'done',
  })
  const run = live(at, [...plan, '--continue', '--stream-json-input', 'go'])
  const [, id] = await run.until(/"request_id":"(\w+)"/)
  run.send({ type: 'answer', request_id: id, option: 'approve' })
  run.end()
  const results = ofType(eventsOf((await run.done).out), 'tool.result')
  expect(results.map(({ payload }) => payload.ok)).toEqual([true, true, true])
  expect(existsSync(join(at.dir, 'b.txt'))).toBe(true)
})

it('reports the end of a job, and a message of the user wakes a waiting call', async () => {
  script(
    call('bash', { command: 'echo built; exit 3', background: true }),
    call('sleep', { seconds: 600 }),
    call('bash', { command: 'sleep 600', background: true }),
    call('jobs', { action: 'wait', job_id: 'job_2', timeout_ms: 600_000 }),
    { text: 'end' },
  )
  const run = live(at, [...words, '--extra-tool', 'sleep', '--approval', 'yolo'])
  await run.until(/"tool":"jobs"/)
  run.send({ type: 'user', text: 'go on' })
  run.end()
  const events = eventsOf((await run.done).out)
  const results = ofType(events, 'tool.result').map(({ payload }) => payload.text)
  expect(results[1]).toMatch(/^slept [\d.]+ s of 600 s, woken$/)
  expect(results[3]).toMatch(/^\[job_2: running for .*; nothing new\]$/)
  const said = ofType(events, 'message').filter(({ payload }) => payload.role === 'user')
  expect(said.map(({ payload }) => payload.text)).toEqual([
    'go',
    expect.stringMatching(/^job_1 \(echo built; exit 3\) ended: exit 3 after /),
    'go on',
  ])
  expect(events.at(-1)?.payload).toMatchObject({ jobs: { started: 2, stopped: 1 } })
})
