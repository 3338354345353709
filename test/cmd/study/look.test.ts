// The commands that show a study, run as a user runs them on the log of a real journal.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatByteSize } from '../../../internal/base/text/count-noun.ts'
import { openJournal } from '../../../internal/store/journal/sqlite.ts'
import { makeStudyEntry } from '../../../internal/study/log/entries.ts'
import { foldStudy } from '../../../internal/study/log/state.ts'
import { composeReportByRule } from '../../../internal/study/report/aggregation.ts'
import { type World, world } from '../../support/anode.ts'
import { finished, lines } from '../../support/study.ts'

const ids = { done: '01JD3K8QAAAAAAAAAAAAAAAAAA', open: '01JD3K8QBBBBBBBBBBBBBBBBBB' }
let at: World

/** Creates two studies of one project. The newer study has not ended, and its process is gone. */
beforeAll(async () => {
  at = world()
  at.put('docs/lock.md', 'intro\nThe store takes its lock with O_EXCL within 5 seconds.\noutro')
  const journal = await openJournal(at.data)
  for (const [name, id] of Object.entries(ids)) {
    const head = { id, project: at.dir, root: at.dir, created: name === 'done' ? 1 : 2 }
    const [first, ...rest] = finished(head)
    if (!first) throw new Error('no head')
    await journal.create(id, first, {})
    if (name === 'open') {
      const { hostname } = await import('node:os')
      const gone = makeStudyEntry('status', { status: 'running', pid: 2 ** 22 - 1, host: hostname() })
      await journal.append(id, [...rest.slice(0, 1), gone])
      continue
    }
    const { failed: _, ...report } = composeReportByRule(foldStudy(lines([first, ...rest])), '')
    await journal.append(id, [...rest, makeStudyEntry('report', report, 'report')])
    await journal.append(id, [makeStudyEntry('status', { status: 'partial', reason: 'gaps' })])
    await journal.mail.send({
      scope: `study:${id}`,
      from: 't1',
      to: 't2',
      type: 'question',
      body: 'which \x1b[31mlock?',
    })
  }
  await journal.close()
})
afterAll(() => at.remove())

const run = (...words: string[]) => at.anode(['study', ...words])

it('accepts an id, the beginning of an id, or last', async () => {
  expect((await run('status', ids.done)).out).toContain('status  partial (gaps)')
  expect((await run('status', '01jd3k8qa', '--json')).code).toBe(0)
  expect((await run('status')).out).toContain('01JD3K8QBB')
  const several = await run('status', '01JD3K8Q')
  expect(several).toMatchObject({ code: 2, out: '' })
  expect(several.err).toMatch(/more than one study is named 01JD3K8Q\nit could be 01JD3K8QB\w+, 01JD3K8QA/)
  const none = await run('report', '01ZZ')
  expect(none).toMatchObject({ code: 2, err: expect.stringContaining('unknown study "01ZZ') })
})

it('status reports a study whose process is gone', async () => {
  const { out } = await run('status', 'last')
  expect(out).toContain('its process 4194303 is gone. anode study resume 01JD3K8QBB')
  expect(JSON.parse((await run('status', 'last', '--json')).out)).toMatchObject({
    abandoned: true,
    status: 'running',
  })
})

it('list marks abandoned studies, and truncates a question only in text output', async () => {
  const { out } = await run('list')
  expect(out).toMatch(
    /^01JD3K8QBB .* abandoned +free .*what happens on a crash\?\n01JD3K8QAA .* partial \(gaps\) /m,
  )
  expect((await run('list', '--limit', '1')).out.trim().split('\n')).toHaveLength(2)
  expect(await run('list', '--limit', '0')).toMatchObject({ code: 2, out: '' })
  const [open, done] = JSON.parse((await run('list', '--json')).out)
  expect(open).toMatchObject({ id: ids.open, status: 'running', abandoned: true })
  expect(done).toMatchObject({ id: ids.done, status: 'partial', reason: 'gaps', abandoned: false, usd: 0 })
})

it('report can print the answer alone, as the study printed it', async () => {
  const { out } = await run('report', ids.done, '--answer')
  expect(out).toMatch(
    /^> \*\*Partial result[\s\S]*\n## Sources\n\n1\. `docs\/lock\.md:2`\n2\. `docs\/old\.md:9`\n$/,
  )
})

it('watch prints an ended study in full, and stops at an abandoned one', async () => {
  const done = await run('watch', ids.done)
  expect(done.code).toBe(3)
  expect(done.out).toMatch(/^study 01JD3K8QAA {2}model.*\nplan {4}t1[\s\S]*\nreport {2}partial \(gaps\)/)
  const gone = await run('watch', ids.open)
  expect(gone).toMatchObject({ code: 1, err: expect.stringContaining('is gone') })
  const json = (await run('watch', ids.done, '--json')).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(json[0]).toMatchObject({ seq: 1, kind: 'study' })
  expect(json.at(-1)).toMatchObject({ kind: 'status', status: 'partial' })
})

describe('report', () => {
  it('is Markdown in a pipe', async () => {
    const { code, out } = await run('report', ids.done)
    expect(code).toBe(0)
    expect(out).toMatch(/^# How does the store lock files/)
    for (const title of [
      'Answer',
      'Findings',
      'Contradictions',
      'Gaps',
      'Failed and not run',
      'Budget',
      'Reproduce',
    ]) {
      expect(out).toContain(`\n## ${title}\n`)
    }
  })

  it('takes its format from the name of the output file', async () => {
    for (const [file, start] of [
      ['r.html', '<!doctype html>'],
      ['r.json', '{\n  "version": 1'],
      ['r.txt', 'How does'],
      ['r.md', '# How'],
      ['r.pdf', '%PDF-1.'],
      ['r.docx', 'PK\x03\x04'],
    ] as const) {
      const { code, out, err } = await run('report', ids.done, '-o', file)
      const bytes = readFileSync(join(at.dir, file))
      expect({ code, out, err }).toEqual({
        code: 0,
        out: '',
        err: `wrote ${file} (${formatByteSize(bytes.length)})\n`,
      })
      expect(bytes.toString('latin1').startsWith(start)).toBe(true)
    }
    for (const [words, why] of [
      [['-o', 'r.odt'], 'r.odt ends in .odt, which is not a format of a report'],
      [['-o', 'r.pdf', '--format', 'md'], '--format md does not fit the ending of r.pdf'],
      [['--format', 'docx'], 'a report as docx needs a file'],
      [['-o', '.'], 'has no ending'],
    ] as const)
      expect(await run('report', ids.done, ...words)).toMatchObject({
        code: 2,
        err: expect.stringContaining(why),
      })
    mkdirSync(join(at.dir, 'd.md'))
    expect(await run('report', ids.done, '-o', 'd.md')).toMatchObject({
      code: 1,
      err: expect.stringContaining('it is a folder'),
    })
    expect(await run('report', ids.done, '-o', 'odd.name', '--format', 'text')).toMatchObject({ code: 0 })
    expect((await run('report', ids.done, '-o', 'missing/r.md')).code).toBe(1)
    expect(existsSync(join(at.dir, 'missing'))).toBe(false)
  })

  it('overwrites an earlier report, and no other file', async () => {
    const endings = ['html', 'json', 'txt', 'md', 'pdf', 'docx']
    const own = (ending: string) => readFileSync(join(at.dir, `own.${ending}`))
    for (const ending of endings) expect((await run('report', ids.done, '-o', `own.${ending}`)).code).toBe(0)
    // an earlier report in any format
    for (const [i, ending] of endings.entries()) {
      const other = endings[(i + 1) % endings.length] as string
      writeFileSync(join(at.dir, `over.${ending}`), own(other))
      expect((await run('report', ids.done, '-o', `over.${ending}`)).code).toBe(0)
    }
    writeFileSync(join(at.dir, 'empty.md'), '')
    expect((await run('report', ids.done, '-o', 'empty.md')).code).toBe(0)
    const foreign = {
      'mine.md': `# Notes\n\nStudy: mine\n`,
      'mine.html': '<!doctype html><h2>Study</h2>',
      'mine.json': '{\n  "id": 1\n}\n',
      'mine.txt': 'notes',
      'mine.pdf': Buffer.concat([Buffer.from('%PDF-1.7 (Another)'), Buffer.alloc(64)]),
      'mine.docx': own('docx').subarray(0, 200),
      'cut.docx': Buffer.from('PK docProps/core.xml'),
    }
    for (const [name, bytes] of Object.entries(foreign)) {
      writeFileSync(join(at.dir, name), bytes)
      const { code, err } = await run('report', ids.done, '-o', name)
      expect([code, err]).toEqual([
        2,
        `anode: ${name} exists and is no report of a study\nname another file, or remove this one first\n`,
      ])
      expect(readFileSync(join(at.dir, name)).equals(Buffer.from(bytes))).toBe(true)
    }
    // no request is sent and nothing is stored before
    const asked = await at.anode(['study', 'What of locks?', '-o', 'mine.md'])
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('mine.md exists') })
  })

  it('fits 80 columns as text and writes no control sequences', async () => {
    const { out } = await run('report', ids.done, '--format', 'text')
    expect(out.split('\n').filter((line) => [...line].length > 80)).toEqual([])
    expect(out).not.toContain('\x1b')
  })

  it('fails while the study runs', async () => {
    expect(await run('report', ids.open)).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no report yet'),
    })
  })
})

it('verify checks the current files', async () => {
  const { code, out } = await run('verify', ids.done, '--json')
  const found = JSON.parse(out)
  expect(code).toBe(0)
  expect(found).toMatchObject({ citation_accuracy: 1, min_citation: 0.95, judge: null, opinions: [] })
  expect(found.claims[0]).toMatchObject({ claim: 'C1.1', place: 'docs/lock.md:2', verified: true })
  expect((await run('verify', ids.open)).code).toBe(1)
  expect((await run('verify', ids.done, '--min-citation', '2')).code).toBe(2)
  const judge = await run('verify', ids.done, '--judge', '1', '--model', 'builtin/extract')
  expect(judge).toMatchObject({ code: 2, err: expect.stringContaining('builtin/extract cannot judge') })
})

it('verify asks a model for its opinion, which changes nothing', async () => {
  at.put('judge.jsonl', `${JSON.stringify({ text: '{"opinion":"unsupported","why":"it says 6"}' })}\n`)
  const { code, out } = await run(
    'verify',
    ids.done,
    '--judge',
    '1',
    '--model',
    'script:judge.jsonl',
    '--json',
  )
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    citation_accuracy: 1,
    judge: 'script:judge.jsonl',
    opinions: [{ opinion: 'unsupported', why: 'it says 6' }],
  })
})

it('trace prints the log for users, programs and collectors', async () => {
  const text = (await run('trace', ids.done, '--after', '2')).out
  expect(text).toMatch(/^ {4}3 +\+[\d.]+ {2}status {7}running\n/)
  const entries = (await run('trace', ids.done, '--json')).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1))
  const { resourceSpans } = JSON.parse((await run('trace', ids.done, '--otel')).out)
  expect(resourceSpans[0].scopeSpans[0].spans.map(({ name }: { name: string }) => name)).toEqual([
    'study',
    'task t1',
    'task t2',
  ])
})

it('mailbox shows messages with their status', async () => {
  const { out } = await run('mailbox', ids.done)
  expect(out).toMatch(/t1 +t2 +question +queued +which lock\?/)
  expect(JSON.parse((await run('mailbox', ids.done, '--recipient', 't9', '--json')).out)).toEqual([])
  expect(await run('mailbox', ids.open)).toMatchObject({ out: '', err: 'No messages.\n' })
})
