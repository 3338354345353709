// A review from the changed tree to its typed end, with real subagents on scripted responses.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reviewChanges } from '../../../internal/review/review.ts'
import { runReview } from '../../../internal/service/calls/review-run.ts'
import { openStore } from '../../../internal/store/sqlite.ts'
import type { ReviewRequest, ReviewResult } from '../../../internal/tool/review.ts'
import { grantTrust } from '../../../internal/trust/trust.ts'
import { ctxWith } from '../../support/ctx.ts'
import { git, repoWith } from '../../support/repo.ts'
import { run } from '../../support/run.ts'
import { plant, scratch } from '../../support/scratch.ts'

type Line = Readonly<Record<string, unknown>>

const checks = {
  '.agents/checks/errors.md': '---\nname: errors\nseverity-default: critical\n---\nNo error is lost.\n',
  '.agents/checks/names.md': '---\nname: names\npaths: "*.css"\n---\nNames are clear.\n',
  'a.ts': 'one\ntwo\n',
}

function changed(): string {
  const dir = repoWith(checks)
  plant(dir, { 'a.ts': 'one\nTWO\n' })
  return dir
}

interface Asked {
  lines?: readonly Line[]
  trust?: boolean
  order?: Partial<ReviewRequest>
  signal?: AbortSignal
  caps?: { tokens?: number }
  tools?: string[]
  model?: string
  /** Called when a subagent begins or ends. */
  onShow?: () => void
}

async function look(
  dir: string,
  asked: Asked = {},
): Promise<ReviewResult & { data: string; shown: string[] }> {
  const data = scratch()
  const script = join(data, 'script.jsonl')
  writeFileSync(script, (asked.lines ?? []).map((line) => JSON.stringify(line)).join('\n'))
  if (asked.trust) await grantTrust(dir, data)
  const shown: string[] = []
  const reviewed = await runReview({
    cwd: dir,
    env: { PATH: process.env['PATH'], HOME: data, ANODE_DATA_DIR: data, XDG_CONFIG_HOME: data },
    signal: asked.signal ?? new AbortController().signal,
    mode: 'ask',
    addDirs: [],
    terminal: undefined,
    caps: asked.caps ?? {},
    ...(asked.tools && { tools: asked.tools }),
    ...(asked.lines && { model: `script:${script}` }),
    ...(asked.model !== undefined && { model: asked.model }),
    order: { reviewer: true, checks: 'none', timeoutMs: 60_000, ...asked.order },
    show: ({ type }) => {
      shown.push(type)
      asked.onShow?.()
    },
    note: () => undefined,
  })
  return { ...reviewed, data, shown }
}

const found = (line: number, severity: string | undefined, title: string) =>
  JSON.stringify({ findings: [{ file: 'a.ts', line, severity, title, detail: 'd' }] })

test('runs the reviewer and the checks, and sorts by severity', async () => {
  const reviewed = await look(changed(), {
    trust: true,
    order: { checks: 'changes' },
    lines: [
      { task: 'review', calls: [{ name: 'read', args: { path: 'a.ts' } }] },
      { task: 'review', text: `Read it.\n\`\`\`json\n${found(2, 'low', 'Shouts')}\n\`\`\`` },
      { task: 'check errors', text: found(1, undefined, 'Lost') },
    ],
  })
  expect(reviewed).toMatchObject({
    end: 'done',
    empty: false,
    files: ['a.ts'],
    notes: [],
    findings: [
      { file: 'a.ts', line: 1, severity: 'critical', title: 'Lost', check: 'errors' },
      { file: 'a.ts', line: 2, severity: 'low', title: 'Shouts' },
    ],
    parts: [
      { name: 'review', check: false, end: 'done', findings: 1 },
      { name: 'errors', check: true, end: 'done', findings: 1 },
    ],
  })
  expect(reviewed.shown.sort()).toEqual(['child.ended', 'child.ended', 'child.started', 'child.started'])
})

test('sends the change, the focus and the check to the subagents, and lets them only read', async () => {
  const dir = changed()
  const { parts, data } = await look(dir, {
    trust: true,
    order: { checks: 'changes', focus: 'races' },
    lines: [
      { task: 'review', calls: [{ name: 'create_file', args: { path: 'new.ts', content: 'x' } }] },
      { task: 'review', text: '{"findings": []}' },
      { task: 'check errors', text: '{"findings": []}' },
    ],
  })
  const store = await openStore(data)
  const told = parts.map(({ threads }) => JSON.stringify([...store.threads.events(threads[0] as string)]))
  store.close()
  for (const text of told)
    for (const part of ['+TWO', 'races', 'M a.ts (unstaged)']) expect(text).toContain(part)
  expect(told[1]).toContain('No error is lost.')
  expect(told[0]).not.toContain('No error is lost.')
  expect(git(dir, 'status', '--porcelain').trim()).toBe('M a.ts')
})

test('a check can request fewer tools, but no tool that the user excluded', async () => {
  const dir = repoWith({
    '.agents/checks/c.md': '---\nname: c\ntools: [read, grep]\n---\nLook.\n',
    'a.ts': '1\n',
  })
  plant(dir, { 'a.ts': '2\n' })
  const calls = ['read', 'grep', 'glob'].map((name) => ({ name, args: { path: 'a.ts', pattern: '2' } }))
  const { parts, data } = await look(dir, {
    trust: true,
    tools: ['grep', 'glob'],
    order: { reviewer: false, checks: 'changes' },
    lines: [{ calls }, { text: '{"findings": []}' }],
  })
  const store = await openStore(data)
  const events = [...store.threads.events(parts[0]?.threads[0] as string)]
  store.close()
  const ok = events.flatMap((event) =>
    event.type === 'tool.result' && event.payload.ok ? [event.payload.tool] : [],
  )
  expect(ok).toEqual(['grep'])
})

test('asks once more for an answer in another form, with the error', async () => {
  const reviewed = await look(changed(), {
    lines: [{ text: found(0, 'high', 'Zero') }, { text: found(2, 'high', 'Two') }],
  })
  expect(reviewed).toMatchObject({ end: 'done', findings: [{ line: 2 }] })
  const [first, second] = reviewed.parts[0]?.threads ?? []
  expect(second).not.toBe(first)
  const store = await openStore(reviewed.data)
  expect(JSON.stringify([...store.threads.events(second as string)])).toContain('findings[0].line')
  store.close()
})

test.each<[string, Line[], Partial<ReviewResult>]>([
  ['twice in another form', [{ text: 'fine' }, { text: 'fine!' }], { end: 'failed', findings: [] }],
  ['a model that fails', [{ error: { status: 401, message: 'no key' } }], { end: 'failed', findings: [] }],
])('%s', async (_, lines, expected) => {
  const reviewed = await look(changed(), { lines })
  expect(reviewed).toMatchObject(expected)
  expect(reviewed.notes.join()).toContain('gave no answer')
})

test('keeps the findings of other parts if one part gives no answer', async () => {
  const reviewed = await look(changed(), {
    trust: true,
    order: { checks: 'changes' },
    lines: [
      { task: 'review', text: found(2, 'high', 'Two') },
      { task: 'check errors', text: 'no' },
      { task: 'check errors', text: 'no' },
    ],
  })
  expect(reviewed).toMatchObject({ end: 'partial', findings: [{ line: 2 }] })
  expect(reviewed.parts.map(({ end }) => end)).toEqual(['done', 'failed'])
})

test('runs checks alone, and no checks of an untrusted workspace', async () => {
  const lines = [{ text: '{"findings": []}' }]
  const only = await look(changed(), { trust: true, lines, order: { reviewer: false, checks: 'changes' } })
  expect(only.parts.map(({ name }) => name)).toEqual(['errors'])
  const barred = await look(changed(), { lines, order: { checks: 'changes' } })
  expect(barred.parts.map(({ name }) => name)).toEqual(['review'])
  expect(barred.end).toBe('partial')
  expect(barred.notes.join()).toContain('not trusted')
})

test('runs nothing without changes', async () => {
  const reviewed = await look(repoWith(checks), { lines: [], order: { checks: 'changes' } })
  expect(reviewed).toMatchObject({ end: 'done', empty: true, findings: [], parts: [] })
})

test('a model that only quotes gives no findings, and the review reports it', async () => {
  const reviewed = await look(changed(), {
    trust: true,
    order: { checks: 'changes' },
    model: 'builtin/extract',
  })
  expect(reviewed).toMatchObject({
    end: 'failed',
    empty: false,
    findings: [],
    parts: [],
    model: 'builtin/extract',
  })
  expect(reviewed.notes.join()).toContain('cannot judge code')
  expect(reviewed.shown).toEqual([])
})

test('ends when the budget is used up, and when the user stops it', async () => {
  const lines = [
    { text: 'thinking', calls: [{ name: 'read', args: { path: 'a.ts' } }] },
    { text: found(1, 'low', 'x') },
  ]
  const spent = await look(changed(), { lines, caps: { tokens: 1 } })
  expect(spent).toMatchObject({ end: 'partial', findings: [], parts: [{ end: 'partial', reason: 'tokens' }] })
  const stop = new AbortController()
  const slow = [{ text: 'x', delay_ms: 600_000 }]
  const stopped = await look(changed(), { lines: slow, signal: stop.signal, onShow: () => stop.abort() })
  expect(stopped).toMatchObject({ end: 'failed', findings: [] })
})

test('asks a reviewer without turns for the form, and stays partial', async () => {
  const reviewed = await look(changed(), {
    order: { maxTurns: 1 },
    lines: [
      { calls: [{ name: 'read', args: { path: 'a.ts' } }] },
      { text: 'I saw that line 2 shouts.' },
      { text: found(2, 'low', 'Shouts') },
    ],
  })
  expect(reviewed).toMatchObject({ end: 'partial', findings: [{ line: 2 }], parts: [{ reason: 'turns' }] })
})

test('rejects a directory that is not a repository', async () => {
  await expect(look(scratch(), { lines: [] })).rejects.toMatchObject({ name: 'UserError' })
})

test('needs only a description outside of a repository, and can run every check', async () => {
  const cwd = scratch()
  plant(cwd, checks)
  const started: string[] = []
  const reviewed = await reviewChanges(
    { description: 'moved the parser', reviewer: false, checks: 'all', only: ['n*'], timeoutMs: 1 },
    {
      cwd,
      policy: ctxWith({}, { cwd }).policy,
      run,
      trusted: true,
      model: { id: 'm', judges: true },
      spawn: async ({ title }) => {
        started.push(title)
        return {
          end: 'done',
          reason: undefined,
          text: '{"findings": []}',
          thread: 't',
          receipts: { read: [], changed: [], commands: [] },
          turns: 1,
          calls: 0,
          tokens: 7,
          usd: null,
          ms: 1,
        }
      },
    },
    new AbortController().signal,
  )
  expect(started).toEqual(['check names'])
  expect(reviewed).toMatchObject({ end: 'done', empty: false, tokens: 7, usd: null })
})
