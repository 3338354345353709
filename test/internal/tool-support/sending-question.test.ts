// Which fetches ask: every tool that fetches, in every mode, for every kind of URL, redirect and length, over HTTP.
import { expect, test } from 'vitest'
import { createGuardedFetch } from '../../../internal/net/ssrf-guard.ts'
import { type Mode, modes } from '../../../internal/policy/level.ts'
import type { PermissionRule } from '../../../internal/policy/rules/permission-rule.ts'
import { type DirectCallSession, openDirectCalls } from '../../../internal/service/calls/direct-call.ts'
import type { ApprovalRequest } from '../../../internal/tool/ask.ts'
import type { Ctx } from '../../../internal/tool/ctx.ts'
import { invoke } from '../../../internal/tool/invoke.ts'
import { createKnownUrls } from '../../../internal/tool/known-urls.ts'
import { askBeforeSending } from '../../../internal/tool-support/sending-question.ts'
import { scratch } from '../../support/scratch.ts'
import { webServer } from '../../support/web-server.ts'

const tools = [
  { toolset: 'anode', name: 'web_fetch' },
  { toolset: 'hooman', name: 'fetch' },
  { toolset: 'researchharness', name: 'WebFetch' },
]
const kinds = ['unknown', 'typed', 'found', 'approved', 'ruled', 'neighbor'] as const
const redirects = ['none', 'same host', 'new host', 'new host, typed', 'new host, ruled'] as const

interface Cell {
  mode: Mode
  kind: (typeof kinds)[number]
  redirect: (typeof redirects)[number]
  isLong: boolean
}

const cells: Cell[] = modes.flatMap((mode) =>
  kinds.flatMap((kind) =>
    redirects.flatMap((redirect) => [false, true].map((isLong) => ({ mode, kind, redirect, isLong }))),
  ),
)

/** Questions that the cell must ask, in order. */
function expectedQuestions({ mode, kind, redirect, isLong }: Cell): string[] {
  if (mode === 'unrestricted') return []
  const isFree =
    kind === 'typed' || kind === 'found' || ((kind === 'approved' || kind === 'ruled') && !isLong)
  return [...(isFree ? [] : ['a.test']), ...(redirect === 'new host' ? ['b.test'] : [])]
}

/** Opens two sites. The first one redirects to itself or to the second one. */
async function openSites() {
  const site = await webServer(({ url }, response) => {
    const to = new URL(url, 'http://x').pathname.split('/')[1]
    const port = site.place.split(':')[1]
    if (to === 'same') response.writeHead(302, { location: '/end' }).end()
    else if (to === 'new') response.writeHead(302, { location: `http://b.test:${port}/end` }).end()
    else response.writeHead(200, { 'content-type': 'text/plain' }).end('arrived')
  })
  const port = site.place.split(':')[1]
  const allow = [`a.test:${port}`, `b.test:${port}`]
  return { site, port, fetch: createGuardedFetch({ resolve: async () => ['127.0.0.1'], allow }) }
}

type Sites = Awaited<ReturnType<typeof openSites>>

const ruleFor = (host: string): PermissionRule => ({ tool: 'web_fetch', host, action: 'allow' })

function openCell(cell: Cell, { port, fetch }: Sites, session: DirectCallSession, allow: boolean) {
  const path = { none: 'end', 'same host': 'same' }[cell.redirect as 'none'] ?? 'new'
  const url = `http://a.test:${port}/${path}${cell.isLong ? `?d=${'x'.repeat(200)}` : ''}`
  const urls = createKnownUrls()
  if (cell.kind === 'typed') urls.addText(`Please read <${url}>.`)
  if (cell.kind === 'found') urls.add(`${url}#part`)
  if (cell.kind === 'neighbor') urls.addText(`Read http://a.test:${port}/index and http://a.test.example/`)
  if (cell.kind === 'approved') urls.approveHost('A.test.')
  if (cell.redirect === 'new host, typed') urls.addText(`Then (http://b.test:${port}/end).`)
  const rules = [
    ...(cell.kind === 'ruled' ? [ruleFor('a.test')] : []),
    ...(cell.redirect === 'new host, ruled' ? [ruleFor('b.test')] : []),
  ]
  const asked: ApprovalRequest[] = []
  const ctx: Ctx = {
    ...session.ctx,
    gate: {
      ...session.ctx.gate,
      urls,
      ask: async (request) => {
        asked.push(request)
        return { allow, why: allow ? '' : 'no' }
      },
    },
    policy: { ...session.ctx.policy, mode: cell.mode, rules },
    can: { ...session.ctx.can, fetch },
  }
  delete (ctx.policy as { preset?: string }).preset
  return { url, ctx, asked }
}

const hostsOf = (asked: readonly ApprovalRequest[]) =>
  asked.map(({ args }) => new URL(String(args['url'])).hostname)

test.each(tools)(
  '$name asks once for each host, in $toolset',
  async ({ toolset, name }) => {
    const data = scratch()
    const session = await openDirectCalls({
      ...{
        cwd: scratch(),
        addDirs: [],
        mode: 'ask',
        approval: 'none',
        record: 'changes',
        terminal: undefined,
      },
      env: { PATH: process.env.PATH, HOME: data, ANODE_DATA_DIR: data, XDG_CONFIG_HOME: data },
      ...{ signal: new AbortController().signal, toolset: { name: toolset } },
    })
    try {
      const sites = await openSites()
      const { seen } = sites.site
      for (const cell of cells) {
        const label = JSON.stringify(cell)
        const questions = expectedQuestions(cell)
        const { url, ctx, asked } = openCell(cell, sites, session, true)
        const first = await invoke(session.catalog, ctx, { name, args: { url } })
        expect([label, hostsOf(asked), first.failed]).toEqual([label, questions, undefined])
        for (const request of asked)
          expect(request.reasons.join(' '), label).toMatch(/the request goes to|always need/)
        // a host that is approved is not asked about again
        const near = new URL('/other', url).href
        await invoke(session.catalog, ctx, { name, args: { url: near } })
        const isNew = questions[0] !== 'a.test' && (cell.kind === 'typed' || cell.kind === 'found')
        const again = cell.mode !== 'unrestricted' && isNew ? ['a.test'] : []
        expect([label, hostsOf(asked)]).toEqual([label, [...questions, ...again]])
        if (questions.length === 0) continue
        seen.splice(0)
        const refused = openCell(cell, sites, session, false)
        const result = await invoke(session.catalog, refused.ctx, { name, args: { url: refused.url } })
        expect([label, result.failed?.code]).toEqual([label, 'denied'])
        // nothing reaches a host before it is approved
        const reached = seen.map(({ headers }) => headers.host?.split(':')[0])
        expect(reached, label).not.toContain(questions[0])
      }
    } finally {
      await session.close()
    }
  },
  120_000,
)

test('headers, ports and look-alikes of documentation hosts are not free', () => {
  const free = ['https://docs.python.org/3/library/os.html', `https://nodejs.org/api/?q=${'x'.repeat(300)}`]
  const asks = [
    ...['http://docs.python.org/3/', 'https://docs.python.org:8443/', 'https://docs.python.org.example/'],
    ...[
      'https://xdocs.python.org/',
      'https://pip.readthedocs.io/',
      'https://user.github.io/',
      'https://docs.rs/',
    ],
  ]
  for (const url of free) expect([url, askBeforeSending(new URL(url), {}, {})]).toEqual([url, undefined])
  for (const url of asks)
    expect(askBeforeSending(new URL(url), {}, {}), url).toMatchObject({ isFixed: false })
  const urls = createKnownUrls()
  urls.add('https://found.example/page')
  const known = new URL('https://found.example/page')
  expect(askBeforeSending(known, {}, { urls })).toBeUndefined()
  expect(askBeforeSending(known, { 'x-data': 'secret' }, { urls })).toMatchObject({
    isFixed: false,
  })
  expect(askBeforeSending(known, { 'x-data': 's'.repeat(200) }, { urls })).toMatchObject({
    isFixed: true,
  })
  expect(askBeforeSending(known, { 'x-data': 'secret' }, { urls, isTyped: true })).toBeUndefined()
})
