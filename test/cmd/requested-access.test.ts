// Access that a command requests and that no approval can give: the model gets the reason, and the run continues.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'

let w: World
beforeAll(() => {
  w = world()
})
afterAll(() => w.remove())

const hosts = [
  ...['*.example.org', '*', 'ex?mple.org', '{a,b}.example.org', '.example.org', 'example..org', ''],
  ...['10.0.0.1', '10.0.0.1:443', '127.1', '2130706433', '0x7f.1', '10.0.0.0/8', '::1', '[::1]:80'],
  ...['2001:db8::1', 'localhost', 'registry', 'https://example.org', 'example.org/path', 'a@example.org'],
  ...['example.org:0', 'example.org:70000', '-a.example.org', 'exa mple.org', 'example.org:http'],
]
const needs = [
  ...hosts.map((host) => ({ network: [host] })),
  { network: ['registry.example.org', '*.example.org'] },
  ...['/no/such/directory', '/'].map((path) => ({ write: [path] })),
]

/** Starts a run whose first response has a call for each of the needs. The later responses are `rest`. */
async function runWith(rest: readonly object[], words: readonly string[]) {
  const calls = needs.map((one, i) => ({ name: 'bash', args: { command: `echo ${i}`, needs: one } }))
  const replies = [{ text: '', calls }, ...rest, { text: 'The end.' }]
  w.put('replies.jsonl', replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const run = ['execute', 'go', '--stream-json', '--model', 'script:replies.jsonl', ...words]
  const { code, out, err } = await w.anode(run)
  const events = out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  return { code, err, results: events.filter(({ type }) => type === 'tool.result') }
}

const correct = (more: object) => ({
  text: '',
  calls: [{ name: 'bash', args: { command: 'echo again', ...more } }],
})

test.each([
  ['auto', ['--approval', 'auto'], [], 0],
  ['unrestricted', ['--approval', 'unrestricted'], [], 0],
  ['auto, where each denial counts', ['--approval', 'auto', '--on-ask', 'fail'], [], 0],
  ['auto, then without needs', ['--approval', 'auto'], [correct({})], 0],
  ['auto, then for a host', ['--approval', 'auto'], [correct({ needs: { network: ['a.example.org'] } })], 4],
] as const)('mode %s', async (_, words, rest, exit) => {
  const { code, err, results } = await runWith(rest, words)
  expect(err).not.toContain('needs.')
  expect(code).toBe(exit)
  const first = results.slice(0, needs.length)
  expect(first).toHaveLength(needs.length)
  for (const [i, { payload }] of first.entries())
    expect(JSON.stringify(payload), JSON.stringify(needs[i])).toMatch(
      /error bad_args: needs\.(network|write)/,
    )
  expect(results).toHaveLength(needs.length + rest.length)
})
