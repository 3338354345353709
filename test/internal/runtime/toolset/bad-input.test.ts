// Bad input to toolsets, family by family: the result of each call, in the words of its set.
import {
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EventDraft } from '../../../../internal/event/event.ts'
import type { PermissionRule } from '../../../../internal/policy/rules/permission-rule.ts'
import { createSessionPlanning, withPlanning } from '../../../../internal/runtime/agent/session-planning.ts'
import { openDirectCalls } from '../../../../internal/service/calls/direct-call.ts'
import { invoke } from '../../../../internal/tool/invoke.ts'
import { loadToolset } from '../../../../internal/toolset/index.ts'
import { adaptersOf } from '../../../../internal/toolset/resolve-adapter.ts'
import { plant, scratch } from '../../../support/scratch.ts'
import { webServer } from '../../../support/web-server.ts'

type Session = Awaited<ReturnType<typeof openDirectCalls>>

/** Allows to read the site of this test. */
const site: PermissionRule = { tool: 'web_fetch', host: '127.0.0.1', action: 'allow' }

const sessions = new Map<string, Session>()
let base = ''
let dir = ''

beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'anode-bad-input-')))
  dir = join(base, 'work')
  plant(base, {
    'secret.txt': 'secret\n',
    'work/notes.txt': 'one\ntwo\n',
    'work/.env': 'KEY=1\n',
    'work/blob.bin': Buffer.alloc(4),
    'work/vendor/a.txt': 'kept\n',
    'work/vendored/a.txt': 'free\n',
    'work/huge.txt': 'x',
  })
  symlinkSync(base, join(dir, 'out'))
  symlinkSync('vendor', join(dir, 'link'))
  truncateSync(join(dir, 'huge.txt'), 2 ** 31)
  for (const name of ['hooman', 'ah', 'researchharness', 'swarmie'])
    sessions.set(name, await openIn(name, name === 'hooman' ? [site] : []))
})
afterAll(async () => {
  for (const session of sessions.values()) await session.close()
  rmSync(base, { recursive: true, force: true })
})

async function openIn(toolset: string, rules: readonly PermissionRule[] = []) {
  const data = join(base, toolset)
  return openDirectCalls({
    ...{ cwd: dir, addDirs: [], mode: 'unrestricted', approval: 'none', record: 'always' },
    env: { PATH: process.env.PATH, HOME: data, ANODE_DATA_DIR: data, AH_PROTECT_DIRS: 'vendor', TZ: 'UTC' },
    rules,
    ...{ signal: new AbortController().signal, terminal: undefined, toolset: { name: toolset } },
  })
}

/** The adapter, its arguments, the error code (undefined: a success), and the expected text. */
type Row = readonly [face: string, args: unknown, code: string | undefined, text?: RegExp]

async function check([name, args, code, text = /./]: Row) {
  const [toolset = '', adapter = ''] = name.split('/')
  const session = sessions.get(toolset)
  if (!session) throw new Error(`there is no session of ${toolset}`)
  const planning = createSessionPlanning({
    ...{ dataDir: scratch(), thread: 'sess_1', before: undefined, report: async () => undefined },
  })
  const given = JSON.parse(JSON.stringify(args).replace('DIR', dir))
  const result = await invoke(session.catalog, withPlanning(session.ctx, planning), {
    name: adapter,
    args: given,
  })
  expect([result.failed?.code, result.text]).toEqual([code, expect.stringMatching(text)])
}

const families: Readonly<Record<string, readonly Row[]>> = {
  names: [
    ['hooman/Read', { path: 'notes.txt' }, 'unknown_tool', /Read is a tool of the toolset researchharness/],
    ['ah/edit_file', {}, 'unknown_tool', /edit_file is a tool of anode; here edit does it/],
    ['ah/shell', {}, 'unknown_tool', /shell is a tool of the toolset hooman/],
    ['swarmie/ask_user', {}, 'unknown_tool', /here question does it/],
  ],
  arguments: [
    ['ah/bash', { command: ['echo a'] }, 'bad_args', /command must be a string/],
    ['hooman/read_multiple_files', { paths: [] }, 'bad_args'],
    ['hooman/sleep', { seconds: 3601 }, 'bad_args', /at most 3600/],
    ['hooman/web_search', { query: 'a', count: 21 }, 'bad_args', /at most 20/],
    ['hooman/web_search', { query: 'x'.repeat(401) }, 'bad_args'],
    ['hooman/shell', { command: 'true', timeout_ms: 5 }, 'bad_args', /timeout_ms, did you mean timeout/],
    [
      'hooman/read_file',
      { offset: 0, limit: 0, where: 1 },
      'bad_args',
      /where.*path.*offset.*limit|path.*offset/s,
    ],
    ['hooman/read_file', '{"path":"notes.txt"}', undefined, /^one\ntwo$/],
    ['hooman/read_file', JSON.stringify('{"path":"notes.txt"}'), 'bad_args'],
  ],
  files: [
    ['ah/read', { path: '../x' }, 'outside_workspace'],
    ['ah/read', { path: 'out/secret.txt' }, 'outside_workspace', /read/],
    ['hooman/write_file', { path: 'out/new.txt', content: '' }, 'outside_workspace', /write_file/],
    ['researchharness/Read', { path: '.env' }, 'denied', /Read was not allowed: rule "deny/],
    ['ah/write', { path: 'vendor/a.txt', content: '' }, 'protected_path'],
    ['ah/write', { path: './notes/../vendor//a.txt', content: '' }, 'protected_path'],
    ['ah/write', { path: 'DIR/vendor/new/b.txt', content: '' }, 'protected_path'],
    ['ah/edit', { path: 'link/a.txt', old_string: 'kept', new_string: '' }, 'protected_path'],
    ['ah/write', { path: 'vendored/b.txt', content: '' }, undefined],
    ['hooman/read_file', { path: 'blob.bin' }, 'binary_or_encoding', /Set `binary`/],
    ['hooman/edit_file', { path: 'blob.bin', edits: [{ oldText: 'a', newText: 'b' }] }, 'binary_or_encoding'],
    ['hooman/edit_file', { path: 'huge.txt', edits: [{ oldText: 'a', newText: 'b' }] }, 'too_large'],
    ['ah/read', { path: 'huge.txt' }, 'binary_or_encoding'],
    ['researchharness/Write', { path: '.git/config', content: '' }, 'denied', /Write was not allowed/],
  ],
  processes: [
    ['hooman/shell', { command: [] }, 'bad_args'],
    ['hooman/shell', { command: 'true', timeout: 0 }, 'bad_args'],
    ['ah/bash', { command: 'true', timeout: 0 }, 'bad_args'],
    ['ah/bash', { command: 'seq 300000' }, undefined, /omitted|removed/],
  ],
  web: [
    ...['ftp://example.com', 'file:///etc/passwd', 'data:text/plain,a', 'https://me@example.com/'].map(
      (url): Row => ['hooman/fetch', { url }, 'blocked_address'],
    ),
    ...[
      ...['localhost', 'localhost.', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '[::1]', '0.0.0.0'],
      ...['[::ffff:127.0.0.2]', '10.0.0.1', '169.254.169.254', '[fd00::1]', '192.168.1.1', 'a.localhost'],
    ].map((host): Row => ['researchharness/WebFetch', { url: `http://${host}/a` }, 'blocked_address']),
  ],
  'time, plans, schedules, branches': [
    ['hooman/get_current_time', { timezone: 'Europe/Atlantis' }, 'bad_args'],
    ['hooman/exit_plan_mode', {}, 'not_planning'],
    [
      'swarmie/cron',
      { action: 'create', name: 'a', prompt: 'x', schedule: '61 * * * *', timezone: 'UTC' },
      'bad_args',
    ],
    ['swarmie/branch', { description: 'x', max_turns: 0 }, 'bad_args'],
    ['swarmie/branch', { description: 'x' }, 'unavailable'],
  ],
}

for (const [family, rows] of Object.entries(families)) {
  describe(family, () => {
    for (const row of rows) test(`${row[0]} ${JSON.stringify(row[1]).slice(0, 80)}`, () => check(row))
  })
}

test('an unknown set ends the start, with the most similar name as a hint', async () => {
  await expect(openIn('homan')).rejects.toMatchObject({
    message: 'unknown toolset homan',
    exit: 2,
    hint: expect.stringContaining('hooman'),
  })
})

test('handles a page that redirects, is missing, never ends, or contains only scripts', async () => {
  const { base } = await webServer(({ url }, response) => {
    if (url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
    else if (url === '/scripts')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<script>a()</script>')
    else if (url === '/endless') {
      response.writeHead(200, { 'content-type': 'text/plain' })
      const more = (): unknown =>
        response.write('x'.repeat(65_536)) ? setImmediate(more) : response.once('drain', more)
      more()
    } else response.writeHead(404, { 'content-type': 'text/plain' }).end('none')
  })
  const rows: Row[] = [
    ['hooman/fetch', { url: `${base}/away` }, 'blocked_address'],
    ['hooman/fetch', { url: `${base}/none` }, 'http_status', /404/],
    ['hooman/fetch', { url: `${base}/endless` }, undefined, /truncated: true/],
    ['hooman/fetch', { url: `${base}/scripts` }, undefined, /the page has no text/],
  ]
  for (const row of rows) await check(row)
})

test('does not edit a file that has changed since it was read, and writes nothing partially', async () => {
  await check(['ah/read', { path: 'notes.txt' }, undefined])
  writeFileSync(join(dir, 'notes.txt'), 'three\ntwo\n')
  await check(['ah/edit', { path: 'notes.txt', old_string: 'two', new_string: '2' }, 'stale_read'])
  expect(readFileSync(join(dir, 'notes.txt'), 'utf8')).toBe('three\ntwo\n')
})

test('an adapter works only through the policy, and its call is recorded under its native name', async () => {
  for (const toolset of ['hooman', 'ah', 'researchharness', 'swarmie']) {
    const set = await loadToolset(toolset)
    const session = await openIn(toolset, [{ tool: '*', action: 'deny' }])
    for (const { adapter } of adaptersOf(set).filter((one) => !one.adapter.optional)) {
      const events: EventDraft[] = []
      const log = { append: async (draft: EventDraft) => void events.push(draft), keep: async () => '' }
      const request = { name: adapter.name, args: adapter.example }
      const refused = await invoke(session.catalog, { ...session.ctx, log }, request)
      // an unavailable tool is rejected before the decision
      expect([adapter.name, refused.failed?.code]).toEqual([
        adapter.name,
        expect.stringMatching(/denied|unavailable/),
      ])
      expect(events).toEqual([
        expect.objectContaining({
          type: 'tool.result',
          payload: expect.objectContaining({
            face: `${toolset}/${adapter.name}`,
            tool: expect.toSatisfy((tool: string) => adapter.to.some((one) => one.tool === tool)),
            ok: false,
          }),
        }),
      ])
    }
    await session.close()
  }
})
