// Findings in a response: read only in the requested form, and counted only if they point at a line.
import { expect, test } from 'vitest'
import { readFindings, validateFindings } from '../../../internal/review/findings.ts'
import type { ReviewFinding } from '../../../internal/tool/review.ts'
import { scratchWith } from '../../support/scratch.ts'

const one = { file: 'a.ts', line: 2, severity: 'high', title: 'Wrong', detail: 'Because.' } as const
const json = JSON.stringify({ findings: [one] })

test.each([
  ['alone', json],
  ['in a fence after words', `I looked.\n\n\`\`\`json\n${json}\n\`\`\``],
  ['in a fence before words', `~~~\n${json}\n~~~\nThat is all.`],
  ['the last of two fences', `\`\`\`ts\nconst a = { b: 1 }\n\`\`\`\n\`\`\`\n${json}\n\`\`\``],
  ['after words without a fence', `Here {it} is: ${json}`],
  ['as a bare list', JSON.stringify([one])],
  ['spread over lines', JSON.stringify({ findings: [one] }, null, 2)],
  [
    'with a severity in capitals and more keys',
    JSON.stringify({ findings: [{ ...one, severity: 'HIGH', id: 7 }], verdict: 'no' }),
  ],
])('reads findings: %s', (_, reply) => {
  expect(readFindings(reply)).toEqual({ ok: true, findings: [one] })
})

test.each([
  ['words', 'Looks good to me.', 'has no JSON object'],
  ['nothing', '', 'has no JSON object'],
  ['brackets in prose are no answer', 'The list [] was empty, as is `[]`.', 'has no JSON object'],
  ['half of it', json.slice(0, -3), 'has no JSON object'],
  ['no line', JSON.stringify({ findings: [{ ...one, line: undefined }] }), 'findings[0].line'],
  ['line 0', JSON.stringify({ findings: [one, { ...one, line: 0 }] }), 'findings[1].line'],
  ['a line as text', JSON.stringify({ findings: [{ ...one, line: '2' }] }), 'findings[0].line'],
  [
    'an unknown severity',
    JSON.stringify({ findings: [{ ...one, severity: 'urgent' }] }),
    'findings[0].severity',
  ],
  ['an empty title', JSON.stringify({ findings: [{ ...one, title: ' ' }] }), 'findings[0].title'],
  ['a finding that is text', JSON.stringify({ findings: ['bad'] }), 'findings[0]'],
])('rejects %s', (_, reply, error) => {
  const read = readFindings(reply)
  expect(read.ok).toBe(false)
  if (!read.ok) expect(read.errors.join('\n')).toContain(error)
})

test('a finding of a check has the name of the check, and its severity by default', () => {
  const reply = JSON.stringify({
    findings: [
      { ...one, check: 'other' },
      { ...one, severity: undefined },
    ],
  })
  const read = readFindings(reply, { name: 'errors', severity: 'low' })
  expect(read).toEqual({
    ok: true,
    findings: [
      { ...one, check: 'errors' },
      { ...one, severity: 'low', check: 'errors' },
    ],
  })
})

test('a finding of the reviewer cannot have the name of a check', () => {
  const read = readFindings(JSON.stringify({ findings: [{ ...one, check: 'errors' }] }))
  expect(read).toEqual({ ok: true, findings: [one] })
})

test('drops findings in missing files and lines with a note, and sorts the rest', async () => {
  const dir = scratchWith({ 'a.ts': '1\n2\n', 'b/c.ts': 'no end of line', 'empty.ts': '' })
  const roots = { workspace: dir, added: [], protected: [] }
  const at = (file: string, line: number, severity: ReviewFinding['severity'] = 'low', title = 't') => ({
    file,
    line,
    severity,
    title,
    detail: '',
  })
  const { findings, notes } = await validateFindings(dir, roots, [
    at('a.ts', 2),
    at('a.ts', 3, 'high', 'late'),
    at('gone.ts', 1, 'high', 'gone'),
    at('b', 1, 'high', 'folder'),
    at('../../etc/passwd', 1, 'high', 'outside'),
    at('nul\0.ts', 1, 'high', 'nul'),
    at(`${dir}/b/c.ts`, 1, 'critical'),
    at('./a.ts', 2, 'low', 'T'),
    at('a.ts', 1),
    at('empty.ts', 1, 'medium'),
  ])
  expect(findings.map(({ file, line, severity }) => `${severity} ${file}:${line}`)).toEqual([
    'critical b/c.ts:1',
    'medium empty.ts:1',
    'low a.ts:1',
    'low a.ts:2',
  ])
  expect(notes).toEqual([
    'dropped "late" at "a.ts":3: the file has 2 lines',
    'dropped "gone" at "gone.ts":1: the file does not exist',
    'dropped "folder" at "b":1: the file does not exist',
    'dropped "outside" at "../../etc/passwd":1: the file does not exist',
    'dropped "nul" at "nul\\u0000.ts":1: the file does not exist',
  ])
})
