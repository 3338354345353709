// Traces of real runs and studies, sent to a real collector on loopback and to an unreachable one.
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { startCollector } from '../support/collector.ts'

let w: World
beforeEach(() => {
  w = world()
  w.put('a.txt', 'one\n')
})
afterEach(() => w.remove())

function script(...replies: object[]): string[] {
  const file = join(w.data, '..', 'replies.jsonl')
  writeFileSync(file, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  return ['--model', `script:${file}`, '--approval', 'unrestricted']
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
const secret = 'sk-abcdefghijklmnopqrstuvwx'
const bash = { calls: [{ name: 'bash', args: { command: `echo "$TRACEPARENT" ${secret}` } }] }
const failing = { calls: [{ name: 'read', args: { path: 'none.txt' } }] }
const child = { calls: [{ name: 'task', args: { title: 'Look', goal: 'Look at it' } }] }

it('sends the run, its requests and its calls as one trace, without message texts', async () => {
  const { endpoint, spans, requests } = await startCollector()
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b,broken',
    TRACEPARENT: traceparent,
  }
  const ran = await w.anode(['execute', 'Say it', ...script(bash, failing, { text: 'Said and done.' })], {
    env,
  })
  expect(ran.code).toBe(0)
  expect(ran.err).not.toContain('not taken')
  expect(spans.map(({ name }) => name).sort()).toEqual([
    ...['chat', 'chat', 'chat'].map(() => expect.stringMatching(/^chat /)),
    'execute_tool bash',
    'execute_tool read',
    'invoke_agent craft',
  ])
  const run = spans.find(({ name }) => name.startsWith('invoke_agent'))
  expect(run).toMatchObject({
    traceId,
    parentSpanId: '00f067aa0ba902b7',
    values: { 'anode.run.end': 'done' },
  })
  for (const span of spans.filter((one) => one !== run))
    expect(span).toMatchObject({ traceId, parentSpanId: run?.spanId })
  expect(spans.find(({ name }) => name === 'execute_tool read')).toMatchObject({
    ...{ status: { code: 2 }, values: { 'error.type': 'not_found', 'gen_ai.tool.name': 'read' } },
  })
  // a command gets the trace of its run in the environment
  expect((await w.anode(['threads', 'show', 'last', '--json'])).out).toContain(
    `00-${traceId}-${run?.spanId}-01`,
  )
  expect(JSON.stringify(spans)).not.toMatch(/Said and done|echo|sk-/)
  expect(requests[0]?.headers).toMatchObject({ 'x-team': 'a b' })
})

it('sends contents if the configuration says so, with secrets hidden', async () => {
  const { endpoint, spans } = await startCollector()
  const config = join(w.data, '..', 'anode.json')
  writeFileSync(config, JSON.stringify({ otel: { content: true } }))
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ANODE_CONFIG: config }
  await w.anode(['execute', 'Say it', ...script(bash, { text: 'Said and done.' })], { env })
  const call = spans.find(({ name }) => name === 'execute_tool bash')
  expect(call?.values['gen_ai.tool.call.arguments']).toContain('[hidden]')
  expect(JSON.stringify(spans)).toContain('Said and done.')
  expect(JSON.stringify(spans)).not.toContain(secret)
})

it('puts a subagent below the call that has started it', async () => {
  const { endpoint, spans } = await startCollector()
  const words = script(child, { text: 'Looked.' }, { text: 'All done.' })
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  expect((await w.anode(['execute', 'Delegate', ...words], { env })).code).toBe(0)
  const runs = spans.filter(({ name }) => name.startsWith('invoke_agent'))
  const call = spans.find(({ name }) => name === 'execute_tool task')
  expect(runs).toHaveLength(2)
  expect(runs.map(({ parentSpanId }) => parentSpanId)).toContain(call?.spanId)
  expect(new Set(spans.map((span) => span.traceId)).size).toBe(1)
})

it('delays no run for a collector that is unreachable, silent or refuses, and reports it once', async () => {
  const silent = await startCollector('silent')
  const refusing = await startCollector('refusing')
  for (const endpoint of [await closedPort(), silent.endpoint, refusing.endpoint]) {
    const words = script(bash, { text: 'Said.' })
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
    const began = Date.now()
    const { code, out, err } = await w.anode(['execute', 'Say it', ...words], { env })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Said.') })
    const notes = err.split('\n').filter((line) => line.startsWith('note: '))
    expect(notes).toEqual([`note: 4 spans were not taken by ${endpoint} (OTEL_EXPORTER_OTLP_ENDPOINT)`])
    expect(Date.now() - began).toBeLessThan(15_000)
  }
})

/** Returns the URL of a closed port. */
async function closedPort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

it('sends a span for each task of a study', async () => {
  const { endpoint, spans } = await startCollector()
  w.put('doc.md', '# Locks\n\nA lock is held for 30 seconds at most. The store locks its files.\n')
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACEPARENT: traceparent }
  const ran = await w.anode(
    ['study', 'How long is a lock held?', '--workers', '1', '--in-process', '--model', 'builtin/extract'],
    { env },
  )
  expect(ran.err).not.toContain('not taken')
  const study = spans.find(({ name }) => name === 'study')
  expect(study).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7' })
  const tasks = spans.filter(({ name }) => name.startsWith('task '))
  expect(tasks.length).toBeGreaterThan(0)
  for (const task of tasks) expect(task.parentSpanId).toBe(study?.spanId)
}, 60_000)
