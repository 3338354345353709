// The relay of a session: the settings that make one, and the channel of a real MCP server.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { DeclaredServer } from '../../../../internal/mcp/config/server-config.ts'
import { createGuardedFetch } from '../../../../internal/net/ssrf-guard.ts'
import type { RelayMeans } from '../../../../internal/runtime/features.ts'
import type { RelaySettings } from '../../../../internal/runtime/relay/relay-settings.ts'
import { openSessionRelay } from '../../../../internal/service/features/session-relay.ts'
import { requestOf } from '../../../support/approval.ts'
import { serverGround } from '../../../support/mcp.ts'
import { offer, questionnaire, relayProgram } from '../../../support/relay.ts'
import { run } from '../../../support/run.ts'
import { scratch } from '../../../support/scratch.ts'
import { root } from '../../../support/sources.ts'

const never = new AbortController().signal
const nothing: RelayMeans = { run, fetch: createGuardedFetch(), servers: async () => undefined }
const open = (settings: RelaySettings, means = nothing, home = '/') =>
  openSessionRelay(settings, { workspace: '/work', env: { HOME: home } }, means)

it.each([
  [{}, 'needs one of command, url and mcp'],
  [{ command: ['a'], mcp: 'b' }, 'needs one of command, url and mcp'],
  [{ command: [] }, 'names no program'],
  [{ url: 'http://relay.example/ask', secret: 'x'.repeat(32) }, 'is not an https URL'],
  [{ url: 'ftp://127.0.0.1/', secret: 'x'.repeat(32) }, 'is not an https URL'],
  [{ url: 'https://relay.example/ask' }, 'must have at least 24 bytes'],
  [{ url: 'https://relay.example/ask', secret: 'short' }, 'must have at least 24 bytes'],
])('rejects settings %j', (settings, why) => {
  expect(() => open(settings)).toThrow(why)
})

it("runs the program in the user's home directory and passes it what a terminal shows", async () => {
  const { command, dir } = relayProgram(
    "writeFileSync('seen.json', JSON.stringify({ ...question, at: process.cwd() })); console.log('{\"allow\":true}')",
  )
  const relay = open({ command }, nothing, dir)
  const preview = async () => ({
    files: [{ path: 'a.ts', what: 'changed', hunks: '@@ -1 +1 @@\n-a\n+b', added: 1, removed: 1 }],
    shows: ['new_str'],
  })
  const args = { path: 'a.ts', new_str: 'b', note: `tail${'\u202e'}` }
  expect(await relay.approve(requestOf({ tool: 'edit_file', args, preview, always: [offer] }))).toMatchObject(
    { allow: true },
  )
  const { text, at, files } = JSON.parse(readFileSync(join(dir, 'seen.json'), 'utf8')) as Record<
    string,
    string
  >
  expect(at).toBe(dir)
  expect(files).toMatchObject([{ path: 'a.ts' }])
  for (const line of [
    'Allow edit_file?',
    '│ in /work',
    '│ -a',
    '│ +b',
    '│ note: tail\\u202e',
    '"Always" stores this rule for this workspace',
  ])
    expect(text).toContain(line)
})

const channelServer = join(root, 'test', 'support', 'servers', 'channel.mjs')

function channel(behavior: string, origin: DeclaredServer['origin'] = 'user', more: RelaySettings = {}) {
  const log = join(scratch(), 'log')
  const servers = serverGround().open(
    { chat: { command: process.execPath, args: [channelServer, behavior, log] } },
    origin,
  )
  const relay = open(
    { mcp: 'chat', origin: { session: 'C042', user: 'ada' }, ...more },
    { ...nothing, servers: async () => servers },
  )
  const seen = () =>
    readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { method: string; params: Record<string, unknown> })
  return { relay, seen }
}

it('asks on a channel, in the chat of the message', async () => {
  const { relay, seen } = channel('allow_always')
  expect(await relay.approve(requestOf({ always: [offer], reasons: ['no rule allows it'] }))).toMatchObject({
    ...{ allow: true, always: true },
  })
  expect(await relay.approve(requestOf())).toEqual({ allow: true, why: 'the relay allowed it' })
  expect(seen()[0]).toMatchObject({
    method: 'notifications/hooman/channel/permission_request',
    params: {
      ...{ tool_name: 'bash', description: 'in /work: no rule allows it', input_preview: '{"command":"ls"}' },
      meta: { session: 'C042', user: 'ada' },
    },
  })
})

it('denies every answer other than an approval, and calls that cannot be shown in full', async () => {
  expect(await channel('deny').relay.approve(requestOf())).toEqual({
    allow: false,
    why: 'the relay denied it',
  })
  expect(await channel('sure').relay.approve(requestOf())).toEqual({
    allow: false,
    why: 'the relay denied it',
  })
  const long = 'x'.repeat(2_500)
  const { relay, seen } = channel('allow_once')
  const hidden = await relay.approve(requestOf({ args: { command: `echo ${long}` } }))
  expect(hidden).toMatchObject({ allow: false, unanswered: true, why: expect.stringContaining('too long') })
  expect(
    (await relay.approve(requestOf({ tool: 'create_file', args: { path: 'a', content: long } }))).allow,
  ).toBe(true)
  expect(seen()[0]?.params['input_preview']).toMatch(/… \d+ more characters are hidden$/)
})

it('answers questions on a channel', async () => {
  const { signal } = new AbortController()
  const answers = (reply: object) => ({ status: 'answered', answers: [{ id: 'q1', ...reply }] })
  expect(await channel('lite').relay.answer(questionnaire, signal)).toEqual(answers({ option: 'lite' }))
  expect(await channel('dismissed').relay.answer(questionnaire, signal)).toEqual({ status: 'dismissed' })
  expect(await channel('text').relay.answer(questionnaire, signal)).toMatchObject({
    status: 'no_user_available',
  })
})

it('does not ask a server that is silent, offers no channel, or comes from a workspace', async () => {
  const silent = channel('silent', 'user', { timeout: 1 }).relay
  expect(await silent.approve(requestOf())).toMatchObject({
    unanswered: true,
    why: expect.stringContaining('within 1 s'),
  })
  expect(await channel('none').relay.approve(requestOf())).toMatchObject({
    ...{ unanswered: true, why: expect.stringContaining('does not offer') },
  })
  const foreign = channel('allow_once', 'workspace').relay
  expect(await foreign.approve(requestOf())).toMatchObject({
    allow: false,
    why: expect.stringContaining('you have no MCP server'),
  })
  const lost = open({ mcp: 'chat' }).answer(questionnaire, never)
  expect(await lost).toMatchObject({ status: 'no_user_available', why: expect.stringContaining('no origin') })
})
