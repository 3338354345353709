// The SARIF log has what the standard (2.1.0) demands, also for names and texts that need care.
import { expect, test } from 'vitest'
import { toSarif } from '../../../internal/review/sarif.ts'
import type { ReviewFinding, ReviewResult } from '../../../internal/tool/review.ts'

const reviewed = (findings: ReviewFinding[], over: Partial<ReviewResult> = {}): ReviewResult => ({
  end: 'done',
  empty: false,
  findings,
  notes: [],
  files: [],
  parts: [],
  model: 'm',
  tokens: 0,
  usd: 0,
  ms: 0,
  ...over,
})

const finding: ReviewFinding = { file: 'src/a.ts', line: 3, severity: 'high', title: 'T', detail: 'D' }

test('writes a finding with its rule and position', () => {
  const log = toSarif(
    reviewed([finding, { ...finding, severity: 'low', detail: '', check: 'errors' }]),
    '1.2.3',
  )
  const run = log.runs[0]
  expect([log.version, log.runs.length, run?.tool.driver.name, run?.tool.driver.version]).toEqual([
    '2.1.0',
    1,
    'anode',
    '1.2.3',
  ])
  expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(['review', 'check/errors'])
  expect(run?.results).toMatchObject([
    {
      ruleId: 'review',
      ruleIndex: 0,
      level: 'error',
      message: { text: 'T\n\nD' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/a.ts', uriBaseId: '%SRCROOT%' },
            region: { startLine: 3 },
          },
        },
      ],
      properties: { severity: 'high' },
    },
    { ruleId: 'check/errors', ruleIndex: 1, level: 'note', message: { text: 'T' } },
  ])
})

test('without findings, the results are an empty list', () => {
  const run = toSarif(reviewed([], { notes: ['n'], end: 'partial' }), '1').runs[0]
  expect(run?.results).toEqual([])
  expect(run?.invocations).toEqual([
    {
      executionSuccessful: false,
      toolExecutionNotifications: [{ level: 'warning', message: { text: 'n' } }],
    },
  ])
})

test.each([
  ['a b/ü.ts', 'a%20b/%C3%BC.ts'],
  ['c:/x#y?.ts', 'c%3A/x%23y%3F.ts'],
  ['100%.ts', '100%25.ts'],
  ['half\ud800.ts', 'half%EF%BF%BD.ts'],
])('%j as a URI', (file, uri) => {
  const [result] = toSarif(reviewed([{ ...finding, file }]), '1').runs[0]?.results ?? []
  expect(result?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(uri)
})

test.each([
  ['critical', 'error'],
  ['high', 'error'],
  ['medium', 'warning'],
  ['low', 'note'],
] as const)('%s is %s', (severity, level) => {
  expect(toSarif(reviewed([{ ...finding, severity }]), '1').runs[0]?.results[0]?.level).toBe(level)
})

test('a finding keeps its fingerprint when it moves', () => {
  const print = (one: ReviewFinding) => toSarif(reviewed([one]), '1').runs[0]?.results[0]?.partialFingerprints
  expect(print({ ...finding, line: 90 })).toEqual(print(finding))
  expect(print({ ...finding, file: 'b.ts' })).not.toEqual(print(finding))
})
