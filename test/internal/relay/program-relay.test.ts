// Relays that are programs: real ones that answer, fail, hang, print nonsense, and are notified of the end.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createProgramRelay } from '../../../internal/relay/program-relay.ts'
import { createQuestionRelay } from '../../../internal/relay/question-relay.ts'
import { requestOf } from '../../support/approval.ts'
import { offer, questionnaire, relayProgram } from '../../support/relay.ts'
import { run } from '../../support/run.ts'

const wording = { approval: () => 'all that is shown', questions: () => 'Which driver?' }

function relayOf(body: string, maxMs = 20_000) {
  const { command, dir } = relayProgram(body)
  const transport = createProgramRelay(command, { run, cwd: dir, maxMs })
  return { relay: createQuestionRelay(transport, wording, { workspace: '/work' }), dir }
}

const say = (value: unknown) => `console.log(${JSON.stringify(JSON.stringify(value))})`

it('passes the whole question and accepts the answer', async () => {
  const { relay, dir } = relayOf(
    `writeFileSync('seen.json', JSON.stringify(question)); ${say({ allow: true, always: [0] })}`,
  )
  const before = Date.now()
  const request = requestOf({ always: [offer], reasons: ['no rule allows it'], child: 'look around' })
  expect(await relay.approve(request)).toEqual({
    ...{ allow: true, always: [0] },
    why: 'the relay allowed it, now and always here',
  })
  const seen = JSON.parse(readFileSync(join(dir, 'seen.json'), 'utf8')) as Record<string, string>
  expect(seen).toMatchObject({
    ...{
      version: 1,
      kind: 'approval',
      workspace: '/work',
      text: 'all that is shown',
      call: 'call_1',
      tool: 'bash',
    },
    ...{ origin: 'native', child: 'look around', cwd: '/work', args: { command: 'ls' }, always: [offer] },
    reasons: ['no rule allows it'],
  })
  expect(seen['nonce']).toMatch(/^[\w-]{43}$/)
  expect(Date.parse(seen['expires'] ?? '')).toBeGreaterThanOrEqual(before + 20_000)
})

it('answers questions of tools', async () => {
  const { relay } = relayOf(say({ option: 'lite' }))
  expect(await relay.answer(questionnaire, new AbortController().signal)).toEqual({
    status: 'answered',
    answers: [{ id: 'q1', option: 'lite' }],
  })
})

it.each([
  ['fails', "console.error('no network'); process.exit(3)", 'it ended with exit code 3: no network'],
  ['is killed', "process.kill(process.pid, 'SIGKILL'); setTimeout(() => 0, 9000)", 'it was ended by SIGKILL'],
  ['prints nothing', '', 'it printed nothing'],
  ['prints no JSON', "console.log('yes')", 'it is not JSON'],
  ['prints no answer', say({ approve: true }), 'it has no `allow`'],
  ['answers and fails', `${say({ allow: true })}; process.exitCode = 1`, 'it ended with exit code 1'],
  ['floods', "process.stdout.write('x'.repeat(1e6))", 'it printed more than 65536 bytes'],
])('a program that %s has not allowed anything', async (_, body, why) => {
  const { relay } = relayOf(body)
  const reply = await relay.approve(requestOf())
  expect(reply).toMatchObject({ allow: false, unanswered: true })
  expect(reply.why).toContain('the relay program gave no answer: ')
  expect(reply.why).toContain(why)
})

it('waits no longer than its limit for any program', async () => {
  const { relay } = relayOf("process.on('SIGTERM', () => 0); setInterval(() => 0, 1000)", 300)
  const started = Date.now()
  expect(await relay.approve(requestOf())).toMatchObject({ allow: false, unanswered: true })
  expect(Date.now() - started).toBeLessThan(20_000)
  expect(await relay.answer(questionnaire, new AbortController().signal)).toMatchObject({
    status: 'no_user_available',
  })
  await relay.close()
})

it('a missing program counts as no answer', async () => {
  const transport = createProgramRelay(['/nowhere/ask'], { run, cwd: '/', maxMs: 5_000 })
  const reply = await createQuestionRelay(transport, wording, { workspace: '/' }).approve(requestOf())
  expect(reply).toMatchObject({ allow: false, unanswered: true })
})

it('ends the program with TERM when its answer no longer counts', async () => {
  const { relay, dir } = relayOf(
    "process.on('SIGTERM', () => { writeFileSync('told', ''); process.exit() })\n" +
      "writeFileSync('asked', ''); setInterval(() => 0, 1000)",
  )
  const stop = new AbortController()
  const asked = relay.approve(requestOf({ signal: stop.signal }))
  await expect.poll(() => existsSync(join(dir, 'asked')), { timeout: 10_000 }).toBe(true)
  stop.abort()
  expect(await asked).toMatchObject({ allow: false, unanswered: true })
  await relay.close()
  expect(existsSync(join(dir, 'told'))).toBe(true)
})
