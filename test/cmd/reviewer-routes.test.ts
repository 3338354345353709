// The reviewer of approvals on other ways into the program: an editor over ACP, and tools and hosts that the user
// has opened with `also`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { startEditor } from '../support/acp-client.ts'
import { type World, world } from '../support/anode.ts'
import { fake } from '../support/mcp.ts'
import { git } from '../support/repo.ts'
import { type Answer, alwaysYes, openRepository, reviewsOf, serveReviewer } from '../support/reviewer.ts'
import { runCalls } from '../support/scripted-calls.ts'

vi.setConfig({ testTimeout: 120_000 })

let at: World
beforeEach(() => {
  at = world()
  onTestFinished(() => at.remove())
  openRepository(at.dir)
  git(at.dir, 'commit', '-q', '--allow-empty', '-m', 'first')
})

const commit = (title: string) => ({
  name: 'bash',
  args: { command: `git commit --allow-empty -m "${title}"` },
})
const yes: Answer = ({ body }) => ({ text: alwaysYes(JSON.stringify(body)) })
const passSecond: Answer = ({ body }, n) => {
  const text = alwaysYes(JSON.stringify(body))
  return { text: n === 0 ? text : text.replace('allow', 'pass').replace('the user asked', 'nothing asks') }
}

it('spares an editor the question, and a call that it passes is asked there with its reason', async () => {
  const served = await serveReviewer(at, passSecond)
  const script = join(at.dir, '../replies.jsonl')
  const replies = [{ calls: [commit('one')] }, { calls: [commit('two')] }, { text: 'Both are tried.' }]
  writeFileSync(script, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const words = ['--model', `script:${script}`, '--approval', 'auto']
  const editor = await startEditor(at, { words, choose: () => undefined })
  const session = await editor.open(at.dir)
  await editor.ask(session, 'Commit twice')
  expect(served.requests).toHaveLength(2)
  expect(git(at.dir, 'log', '--format=%s').trim().split('\n')).toEqual(['one', 'first'])
  expect(editor.asked).toHaveLength(1)
  const [question] = editor.asked
  expect(JSON.stringify(question)).toContain('commit --allow-empty -m')
  expect(JSON.stringify(question)).toContain('the reviewer passed: nothing asks for it')
})

it.each([
  ['the tool is opened', ['tool:mcp__good__echo'], true],
  ['another tool is opened', ['tool:mcp__good__slow'], false],
  ['nothing is opened', [], false],
])('answers an MCP call only where %s', async (_, also, isAllowed) => {
  const served = await serveReviewer(at, yes, { also }, { mcpServers: { good: fake('none') } })
  const call = { name: 'mcp__good__echo', args: { message: 'hello' } }
  const { results, out } = await runCalls(at, [call], ['--approval', 'auto'])
  expect(results.map(({ ok }) => ok)).toEqual([isAllowed])
  expect(served.requests).toHaveLength(isAllowed ? 1 : 0)
  expect(reviewsOf(out).map(({ verdict }) => verdict)).toEqual(isAllowed ? ['allow'] : [])
})

it.each([
  ['the host is opened', ['network:packages.example.org'], true],
  ['another host is opened', ['network:other.example.org'], false],
])('answers a command that needs a host only where %s', async (_, also, isAllowed) => {
  const served = await serveReviewer(at, yes, { also })
  const args = { command: 'echo reached', needs: { network: ['packages.example.org'] } }
  const { results, out } = await runCalls(at, [{ name: 'bash', args }], ['--approval', 'auto'])
  // the host does not exist, so an allowed call fails too, but without a question
  expect(results.map(({ asked }) => asked === undefined)).toEqual([isAllowed])
  expect(served.requests).toHaveLength(isAllowed ? 1 : 0)
  expect(reviewsOf(out).map(({ verdict }) => verdict)).toEqual(isAllowed ? ['allow'] : [])
})
