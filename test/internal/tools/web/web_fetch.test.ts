// web_fetch against real servers on loopback: windows, content types, failures, and hostile responses.
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createGuardedFetch } from '../../../../internal/net/ssrf-guard.ts'
import type { PermissionRule } from '../../../../internal/policy/rules/permission-rule.ts'
import { authorizeCall } from '../../../../internal/tool/authorization/authorize.ts'
import type { Ctx } from '../../../../internal/tool/ctx.ts'
import { parseArguments } from '../../../../internal/tool/parse.ts'
import { variantOf } from '../../../../internal/tools/variants/index.ts'
import { webFetch } from '../../../../internal/tools/web/web_fetch.ts'
import { type CtxChanges, call, ctxWith } from '../../../support/ctx.ts'
import { makePdf } from '../../../support/pdf.ts'
import { type Seen, webServer } from '../../../support/web-server.ts'

const rule = (host: string, action: PermissionRule['action'] = 'allow'): PermissionRule => ({
  tool: 'web_fetch',
  host,
  action,
})

/** Returns a context with these rules. Without rules no server on this machine is reachable. */
function ctx(rules: PermissionRule[] = [rule('127.0.0.1')], over: CtxChanges = {}): Ctx {
  const base = ctxWith({ fetch: createGuardedFetch() }, { ...over, gate: { isTyped: true, ...over.gate } })
  return { ...base, policy: { ...base.policy, rules } }
}

/** Returns a server with one response for every path. */
const page = (body: string | Buffer, type = 'text/html; charset=utf-8', headers: object = {}) =>
  webServer((_, response) => void response.writeHead(200, { 'content-type': type, ...headers }).end(body))

const prose = 'The journal keeps every line until it is acknowledged. '.repeat(6)
const article = `<!doctype html><html><head><title>Journal</title>
<meta property="article:published_time" content="2024-05-06T07:08:09Z"></head>
<body><nav><a href="/menu">Menu</a></nav><article><h2>Locks</h2><p>${prose}</p>
<p>See <a href="../more?x=1#y">more</a>, <a href="javascript:alert(1)">nothing</a>.</p>
<table><tr><th>key</th><th>value</th></tr><tr><td>ttl</td><td>30 | s</td></tr></table>
<pre><code>let a = 1</code></pre></article><script>evil()</script></body></html>`

test('returns an article as Markdown with full links, and its lines as evidence', async () => {
  const { base, seen } = await page(article)
  const { text, data, raw } = await call(webFetch, { url: `${base}/docs/a` }, ctx())
  const [first, empty, ...lines] = text.split('\n')
  expect(first).toBe(`${base}/docs/a | Journal | lines 1-${lines.length} of ${lines.length}`)
  expect(empty).toBe('')
  expect(lines.join('\n')).toBe(raw?.content)
  expect(raw?.content).toContain('## Locks')
  expect(raw?.content).toContain(`[more](${base}/more?x=1#y), nothing.`)
  expect(raw?.content).toContain('| key | value |\n| --- | --- |\n| ttl | 30 \\| s |')
  expect(raw?.content).toContain('```\nlet a = 1\n```')
  expect(raw?.content).not.toMatch(/evil|Menu|javascript/)
  expect(data).toMatchObject({ status: 200, kind: 'html', published: '2024-05-06', truncated: false })
  expect(seen[0]?.headers['user-agent']).toContain('anode')
  const [shown] = (await webFetch.evidence?.(data as never, text)) ?? []
  expect(shown).toMatchObject({
    canonical: `${base}/docs/a`,
    locator: `1-${lines.length}`,
    excerpt: raw?.content,
    title: 'Journal',
    published: '2024-05-06',
    sourceSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})

test('consecutive pages of lines show every line, and the page is fetched once', async () => {
  const all = Array.from({ length: 500 }, (_, i) => `line ${i + 1} ${'x'.repeat(80)}`)
  const { base, seen } = await page(all.join('\n'), 'text/plain')
  const context = ctx()
  const shown: string[] = []
  for (let next: number | undefined = 1; next !== undefined; ) {
    const part = await call(webFetch, { url: `${base}/#${next}`, start_line: next }, context)
    shown.push(...(part.raw?.content ?? '').split('\n'))
    next = part.data?.next_line as number | undefined
    expect(part.text.split('\n')[0]).toMatch(
      next ? new RegExp(`continue with start_line ${next}$`) : /of 500$/,
    )
  }
  expect(shown).toEqual(all)
  expect(seen).toHaveLength(1)
  const { text, data } = await call(webFetch, { url: base, start_line: 3, end_line: 4 }, context)
  expect(text).toBe(
    `${base}/ | lines 3-4 of 500 | continue with start_line 5\n\n${all.slice(2, 4).join('\n')}`,
  )
  expect(data).toMatchObject({ truncated: true, returned_chars: all.slice(2, 4).join('\n').length })
  const past = await call(webFetch, { url: base, start_line: 900 }, context)
  expect([past.failed, past.text]).toEqual([undefined, `${base}/ | no lines of 500`])
})

/** Calls the tool as an adapter does. */
async function callAsAdapter(raw: object, context: Ctx) {
  const parsed = parseArguments(variantOf(webFetch).input, raw)
  if (!parsed.ok) throw new Error(parsed.issues.join('; '))
  return variantOf(webFetch).run(parsed.args, context)
}

test('adapters choose characters, raw text and headers, which a native call rejects', async () => {
  const { base, seen } = await page(article)
  const context = ctx()
  const part = { url: base, raw: true, start_char: 10, max_chars: 20 }
  const { data, raw } = await callAsAdapter(part, context)
  expect(raw?.content).toBe(article.slice(10, 30))
  expect(data).toMatchObject({ start_char: 10, next_char: 30, total_chars: article.length, truncated: true })
  const end = await callAsAdapter({ ...part, start_char: article.length }, context)
  expect([end.failed, end.raw?.content, end.data.next_char]).toEqual([
    undefined,
    'no more content',
    undefined,
  ])
  expect(seen).toHaveLength(1)
  await callAsAdapter({ url: base, raw: true, headers: { Authorization: 'Bearer s3cret' } }, context)
  expect(seen[1]?.headers['authorization']).toBe('Bearer s3cret')
  const native = parseArguments(webFetch.input, { ...part, headers: {}, timeout_ms: 1 })
  expect(native).toMatchObject({ ok: false, issues: Array.from({ length: 5 }, () => expect.any(String)) })
})

test.each([{ Host: 'a' }, { 'Transfer-Encoding': 'chunked' }, { 'a b': 'c' }, { a: 'b\r\nc: d' }])(
  'rejects the headers %j',
  async (headers) => {
    const parsed = parseArguments(variantOf(webFetch).input, { url: 'http://a.test', headers })
    if (!parsed.ok) throw new Error('they parse')
    await expect(variantOf(webFetch).validate?.(parsed.args, ctx())).rejects.toMatchObject({
      failure: { code: 'bad_args', message: expect.stringContaining('headers') },
    })
  },
)

test('JSON and text stay unchanged, a PDF becomes text by pages, a fragment is not an article', async () => {
  const json = await page('{"a": [1, 2]}', 'application/json')
  expect((await call(webFetch, { url: json.base }, ctx())).raw?.content).toBe('{"a": [1, 2]}')
  const pdf = await page(makePdf(['The first page says one.', 'The second says two.']), 'application/pdf')
  const read = await call(webFetch, { url: pdf.base }, ctx())
  expect(read.raw?.content).toMatch(
    /^--- page 1 ---\n\nThe first page says one\.\n\n--- page 2 ---\n\nThe second/,
  )
  const short = await page('<p>One <b>line</b>.</p>')
  expect((await call(webFetch, { url: short.base }, ctx())).raw?.content).toBe('One **line**.')
})

test('reads one long line to its end', async () => {
  const body = JSON.stringify(Array.from({ length: 6_000 }, (_, i) => i))
  const { base } = await page(body, 'application/json')
  const context = ctx()
  const first = await call(webFetch, { url: base }, context)
  const rest = await call(webFetch, { url: base, start_line: first.data?.next_line }, context)
  const lines = `${first.raw?.content}\n${rest.raw?.content}`
  expect(lines.replaceAll('\n', '')).toBe(body)
})

const utf16 = Buffer.from('\ufeffgrün', 'utf16le')
test.each<[string, Buffer, string, string]>([
  ['latin-1 that calls itself UTF-8', Buffer.from('grün', 'latin1'), 'text/plain; charset=utf-8', 'grün'],
  ['UTF-8 that calls itself latin-1', Buffer.from('grün'), 'text/plain; charset=iso-8859-1', 'grün'],
  ['UTF-16 with its mark', utf16, 'text/plain; charset=utf-8', 'grün'],
  ['an unheard-of encoding', Buffer.from('grün', 'latin1'), 'text/plain; charset=klingon', 'grün'],
  [
    'an encoding that the page names',
    Buffer.from('<meta charset="koi8-r"><p>\xf0', 'latin1'),
    'text/html',
    'П',
  ],
  [
    'one torn character',
    Buffer.concat([Buffer.from('grün ü'), Buffer.from([0xc3])]),
    'text/plain; charset=utf-8',
    'grün ü\ufffd',
  ],
])('%s is read', async (_, body, type, expected) => {
  const { base } = await page(body, type)
  expect((await call(webFetch, { url: base }, ctx())).raw?.content).toBe(expected)
})

test('a status other than 2xx is a failure with the text of the server', async () => {
  const { base } = await webServer((_, response) => {
    response.writeHead(404, { 'content-type': 'text/plain' }).end(`Gone ${'x '.repeat(5_000)}`)
  })
  const { failed, text } = await call(webFetch, { url: `${base}/none` }, ctx())
  expect(failed).toMatchObject({ code: 'http_status', detail: { status: 404, url: `${base}/none` } })
  expect(text).toMatch(/^error http_status: .* answered with status 404: Gone x x/)
  expect(text.length).toBeLessThan(700)
})

test.each([
  ['image/png', Buffer.from('\x89PNG\r\n\x1a\n')],
  ['application/octet-stream', Buffer.from([1, 0, 2])],
  ['application/pdf', Buffer.from('%PDF-1.7 broken')],
])('%s has nothing to read', async (type, body) => {
  const { base } = await page(body, type)
  expect((await call(webFetch, { url: base }, ctx())).failed).toMatchObject({ code: 'binary_or_encoding' })
})

test('a page with only scripts is empty with a note', async () => {
  const { base } = await page('<html><body><div id="app"></div><script>draw()</script></body></html>')
  const { failed, text, raw } = await call(webFetch, { url: base }, ctx())
  expect([failed, raw?.content]).toEqual([undefined, ''])
  expect(text).toContain('scripts may create it')
})

const flood = (response: ServerResponse, piece: Buffer) => {
  const write = () => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', write)
  write()
}

test('cuts an endless body and a bomb at 5 MiB', async () => {
  const endless = await webServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    flood(response, Buffer.from(`${'y'.repeat(999)}\n`.repeat(64)))
  })
  const bomb = await page(gzipSync(Buffer.alloc(16 << 20, 'z')), 'text/plain', { 'content-encoding': 'gzip' })
  for (const { base } of [endless, bomb]) {
    const { data, text } = await call(webFetch, { url: base }, ctx())
    expect(data?.total_chars).toBe(5 << 20)
    expect(text).toContain('[only the first 5 MiB of the page were read]')
  }
})

test('a slow body ends at the time limit', async () => {
  const { base } = await webServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.write('a')
  })
  await expect(callAsAdapter({ url: base, timeout_ms: 80 }, ctx())).rejects.toMatchObject({
    failure: { code: 'timeout' },
  })
})

const spellings = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  'localhost',
  '10.0.0.1',
  '169.254.169.254',
]
test.each(spellings)('rejects %s with the rule that allows it', async (host) => {
  const { failed } = await call(webFetch, { url: `http://${host}:9/page` }, ctx([]))
  const canonical = new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '')
  expect(failed).toMatchObject({
    code: 'blocked_address',
    hint: expect.stringContaining(JSON.stringify(rule(canonical))),
  })
})

test.each<[PermissionRule, boolean]>([
  [rule('127.0.0.1'), true],
  [rule('127.0.0.*'), false],
  [rule('*'), false],
  [{ ...rule('127.0.0.1'), tool: '*' }, false],
  [{ tool: 'web_fetch', action: 'allow' }, false],
  [{ ...rule('127.0.0.1'), profile: 'other' }, false],
])('the rule %j allows this machine: %s', async (one, opens) => {
  const { base } = await page('ok', 'text/plain')
  const { failed } = await call(webFetch, { url: base }, ctx([one]))
  expect(failed?.code).toBe(opens ? undefined : 'blocked_address')
})

test('a subagent needs the rule of its parent too', async () => {
  const { base } = await page('ok', 'text/plain')
  const own = ctx()
  const bound = { ...own, policy: { ...own.policy, parents: [ctx([]).policy] } }
  expect((await call(webFetch, { url: base }, bound)).failed?.code).toBe('blocked_address')
  // a page that another agent of the session has fetched does not bypass the rule
  expect((await call(webFetch, { url: base }, own)).failed).toBeUndefined()
  expect((await call(webFetch, { url: base }, bound)).failed?.code).toBe('blocked_address')
})

test.each(['ftp://a.test/x', 'file:///etc/passwd', 'data:text/plain,x', 'javascript:1'])(
  'rejects %s before any request',
  async (url) => {
    const args = { url } as never
    await expect(authorizeCall(webFetch, args, ctx())).rejects.toMatchObject({
      failure: { code: 'blocked_address' },
    })
  },
)

test('rejects a URL with a user name and an invalid URL', async () => {
  const named = await call(webFetch, { url: 'http://me:pw@example.com/' }, ctx())
  expect(named.failed).toMatchObject({ code: 'blocked_address', message: expect.not.stringContaining('pw') })
  expect((await call(webFetch, { url: 'example.com' }, ctx())).failed).toMatchObject({ code: 'bad_args' })
})

/** Opens two names of this machine. The first redirects to the second. */
async function redirecting() {
  return webServer(({ url }: Seen, response) => {
    const to = new URL(url, 'http://x').searchParams.get('to')
    if (to) response.writeHead(302, { location: to }).end()
    else response.writeHead(200, { 'content-type': 'text/plain' }).end('arrived')
  })
}

test('applies the rules to a redirect, fetched or from the cache', async () => {
  const { base, seen } = await redirecting()
  const other = base.replace('127.0.0.1', 'localhost')
  const url = `${base}/?to=${encodeURIComponent(`${other}/end`)}`
  const rules = [rule('127.0.0.1'), rule('localhost')]
  const open = ctx(rules)
  expect((await call(webFetch, { url }, open)).data).toMatchObject({
    url: `${other}/end`,
    redirects: [`${other}/end`],
  })
  for (const one of [
    { ...open, policy: { ...open.policy, rules: [...rules, rule('localhost', 'deny')] } },
    ctx([...rules, rule('localhost', 'ask')]),
  ]) {
    const { failed } = await call(webFetch, { url }, one)
    expect(failed).toMatchObject({ code: 'denied', message: expect.stringContaining('leads to') })
  }
  expect(seen.filter((one) => one.url === '/end')).toHaveLength(1)
})

test('reports and rejects a redirect to an internal address', async () => {
  const { base } = await redirecting()
  const { failed } = await call(webFetch, { url: `${base}/?to=http://[::1]:9/` }, ctx())
  expect(failed).toMatchObject({ code: 'blocked_address', hint: expect.stringContaining('leads there') })
})

test('is not available without web access or a client', () => {
  const off = ctxWith({ fetch: createGuardedFetch() })
  expect(webFetch.available?.(ctxWith())).toContain('no network access')
  expect(webFetch.available?.({ ...off, settings: { ...off.settings, web: { enabled: false } } })).toContain(
    'web.enabled',
  )
})
