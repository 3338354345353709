// Relays with a URL, on real servers: a signed answer counts once, and nothing else does.
import { expect, it } from 'vitest'
import { createGuardedFetch } from '../../../internal/net/ssrf-guard.ts'
import { createHttpRelay } from '../../../internal/relay/http-relay.ts'
import { createQuestionRelay } from '../../../internal/relay/question-relay.ts'
import { findSignatureFault, readWebhookSecret } from '../../../internal/relay/webhook-signature.ts'
import { AnsweredElsewhere } from '../../../internal/tool/authorization/answered-elsewhere.ts'
import { requestOf } from '../../support/approval.ts'
import { questionnaire, relaySecret, sendSigned, serveRelay } from '../../support/relay.ts'

const key = readWebhookSecret(relaySecret)
const wording = { approval: () => 'all that is shown', questions: () => 'Which driver?' }

function relayAt(url: URL, maxMs = 20_000) {
  const transport = createHttpRelay({ url, key, fetch: createGuardedFetch(), maxMs })
  return createQuestionRelay(transport, wording, { workspace: '/work' })
}

it('posts the signed question, waits, and takes the signed answer', async () => {
  const { url, seen } = await serveRelay(({ nonce }, response, nth) => {
    if (nth < 3) response.writeHead(202, { 'retry-after': '0' }).end()
    else sendSigned(response, { nonce, allow: true })
  })
  expect(await relayAt(url).approve(requestOf())).toEqual({ allow: true, why: 'the relay allowed it' })
  expect(seen.map(({ message }) => message.kind)).toEqual(['approval', 'poll', 'poll'])
  expect(new Set(seen.map(({ message }) => `${message.id} ${message.nonce}`)).size).toBe(1)
  for (const { headers, body } of seen)
    expect(findSignatureFault(key, headers as Record<string, string>, body, Date.now())).toBeUndefined()
  expect(seen[0]?.message).toMatchObject({ text: 'all that is shown', args: { command: 'ls' } })
})

it('answers questions of tools', async () => {
  const { url } = await serveRelay(({ nonce }, response) => sendSigned(response, { nonce, option: 'pg' }))
  expect(await relayAt(url).answer(questionnaire, new AbortController().signal)).toMatchObject({
    answers: [{ id: 'q1', option: 'pg' }],
  })
})

it('rejects an answer that is not signed now, with this secret, for this question', async () => {
  let first: object | undefined
  const tries: [string, Parameters<typeof serveRelay>[0]][] = [
    ['not signed', ({ nonce }, response) => response.end(JSON.stringify({ nonce, allow: true }))],
    [
      'signature is wrong',
      ({ nonce }, response) => sendSigned(response, { nonce, allow: true }, { secret: 'x'.repeat(32) }),
    ],
    [
      'signature is wrong',
      ({ nonce }, response) =>
        sendSigned(response, { nonce, allow: false }, { body: JSON.stringify({ nonce, allow: true }) }),
    ],
    [
      'of another time',
      ({ nonce }, response) => sendSigned(response, { nonce, allow: true }, { now: Date.now() - 601_000 }),
    ],
    ['for another question', (_, response) => sendSigned(response, { nonce: 'x', allow: true })],
    ['for another question', (_, response) => sendSigned(response, { allow: true })],
    ['no JSON', (_, response) => sendSigned(response, {}, { body: '' })],
    ['no `allow`', (message, response) => sendSigned(response, message)],
    [
      'more than 65536 bytes',
      ({ nonce }, response) => sendSigned(response, { nonce, allow: true, why: 'x'.repeat(70_000) }),
    ],
    ['HTTP 404', (_, response) => void response.writeHead(404).end()],
    ['leads on to', (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
  ]
  for (const [why, answer] of tries) {
    const { url } = await serveRelay(answer)
    const reply = await relayAt(url).approve(requestOf())
    expect(reply, why).toMatchObject({ allow: false, unanswered: true })
    if (why !== 'no JSON') expect(reply.why).toContain(why)
  }
  // the answer to one question, sent again for the next
  const { url } = await serveRelay(({ nonce }, response) => {
    first ??= { nonce, allow: true }
    sendSigned(response, first)
  })
  expect((await relayAt(url).approve(requestOf())).allow).toBe(true)
  const again = await relayAt(url).approve(requestOf({ call: 'call_2' }))
  expect(again).toMatchObject({
    allow: false,
    unanswered: true,
    why: expect.stringContaining('another question'),
  })
})

it('asks again where the server stumbles, and gives up where it stays down', async () => {
  const { url, seen } = await serveRelay(({ nonce }, response, nth) => {
    if (nth === 1) response.destroy()
    else if (nth === 2) response.writeHead(503, { 'retry-after': '0' }).end()
    else sendSigned(response, { nonce, allow: false, why: 'no' })
  })
  expect(await relayAt(url).approve(requestOf())).toEqual({
    allow: false,
    why: 'the relay denied it and says: no',
  })
  expect(seen).toHaveLength(3)
  const gone = await relayAt(new URL('http://127.0.0.1:9/')).approve(requestOf())
  expect(gone).toMatchObject({
    allow: false,
    unanswered: true,
    why: expect.stringContaining('nothing listens'),
  })
})

it('waits no longer than it may for a server that hangs, or that always asks for patience', async () => {
  for (const answer of [
    () => undefined,
    (_: unknown, response: { writeHead(n: number): { end(): void } }) => response.writeHead(202).end(),
  ]) {
    const { url } = await serveRelay(answer as Parameters<typeof serveRelay>[0])
    const started = Date.now()
    expect(await relayAt(url, 400).approve(requestOf())).toMatchObject({ allow: false, unanswered: true })
    expect(Date.now() - started).toBeLessThan(20_000)
  }
})

it('tells the server which side answered first', async () => {
  const { url, seen } = await serveRelay(({ kind }, response) => void (kind === 'settled' && response.end()))
  const relay = relayAt(url)
  const stop = new AbortController()
  const asked = relay.approve(requestOf({ signal: stop.signal }))
  await expect.poll(() => seen.length).toBe(1)
  stop.abort(new AnsweredElsewhere('the user allowed it'))
  await asked
  await relay.close()
  expect(seen[1]?.message).toMatchObject({
    kind: 'settled',
    id: seen[0]?.message.id,
    text: 'the user allowed it',
  })
})
