import { describe, expect, it } from 'vitest'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { renderHtml } from '../../../../internal/study/report/html.ts'
import { renderMarkdown } from '../../../../internal/study/report/markdown.ts'
import {
  findSourceNumbers,
  joinPlaces,
  layOutReport,
} from '../../../../internal/study/report/report-layout.ts'
import { renderText as textForm } from '../../../../internal/study/report/text.ts'
import { unquoteClaims } from '../../../../internal/study/verify/citations.ts'
import { composeReport } from '../../../../internal/text-analysis/synthesis.ts'
import { rng } from '../../../support/rng.ts'
import { lookOf } from '../../../support/session-view.ts'
import { claim, ended, evidence, reported, studyOf, task } from '../../../support/study.ts'

const titles = (state: ReturnType<typeof reported>) =>
  layOutReport(documentOf(state)).flatMap((piece) => (piece.kind === 'section' ? [piece.text] : []))
const sections = [
  'Answer',
  'Findings',
  'Contradictions',
  'Gaps',
  'Sources',
  'Skipped',
  'Study',
  'Failed and not run',
  'Budget',
  'Reproduce',
]

it('has every section with content, in order, and leaves empty ones out', () => {
  expect(sections).toEqual(expect.arrayContaining(titles(reported())))
  expect(titles(reported())).toEqual(sections.filter((title) => titles(reported()).includes(title)))
  expect(titles(studyOf([]))).toEqual(['Answer', 'Study', 'Budget', 'Reproduce'])
  expect(JSON.stringify(layOutReport(documentOf(reported())))).not.toContain('None.')
})

it('begins with the answer, and describes the study after the findings', () => {
  const [title, warning, section] = layOutReport(documentOf(reported()))
  expect([title?.kind, warning?.kind, section]).toEqual([
    'title',
    'warning',
    { kind: 'section', text: 'Answer' },
  ])
})

describe('the answer alone', () => {
  const answer = (state = reported()) => layOutReport(documentOf(state), 'answer')

  it('has its sources and no empty section', () => {
    expect(answer().flatMap((piece) => (piece.kind === 'section' ? [piece.text] : []))).toEqual([
      'Answer',
      'Findings',
      'Contradictions',
      'Gaps',
      'Sources',
    ])
    const empty = answer(studyOf([])).filter((piece) => piece.kind === 'section')
    expect(empty).toEqual([{ kind: 'section', text: 'Answer' }])
  })

  it('of a study without a claim consists of the findings of its tasks', () => {
    const detail = 'nearest: Locks (docs/lock.md); Crash (docs/crash.md)'
    const state = studyOf([
      makeStudyEntry('plan', { of: 'rules', tasks: [task(1, 'quix')], dropped: [], notices: [] }),
      makeStudyEntry('task.ended', {
        task: 't1',
        result: ended('partial', { reason: 'no_evidence', detail }),
      }),
      makeStudyEntry('status', { status: 'failed', reason: 'no_evidence' }),
    ])
    expect(answer(state)).toEqual([
      {
        kind: 'warning',
        text: 'Nothing found: no passage contains enough of the question. The following is not an answer.',
      },
      { kind: 'section', text: 'Answer' },
      { kind: 'text', text: 'No answer: no claim was recorded.' },
      { kind: 'list', ordered: false, items: [detail] },
    ])
  })

  it('repeats nothing, and has no single heading', () => {
    const pieces = answer()
    const items = pieces.flatMap((piece) => (piece.kind === 'list' ? piece.items : []))
    expect(new Set(items).size).toBe(items.length)
    // The only finding on a crash is in the answer. A single heading would only repeat the question.
    expect(pieces.filter((piece) => piece.kind === 'heading')).toEqual([])
    const state = reported()
    const findings = '### a\n\n- one [C1.1]\n\n### b\n\n- yes [C1.1]\n\n### c\n\n- two [C1.1]'
    state.report = { markdown: `## Answer\n\n- yes [C1.1]\n\n## Findings\n\n${findings}`, uncited: 0 }
    const headings = answer(state).filter((piece) => piece.kind === 'heading')
    expect(headings.map(({ text }) => text)).toEqual(['a', 'c', 'Further claims'])
  })

  it('lists each source once with the quoted lines', () => {
    const sources = answer().find((piece) => piece.kind === 'sources')
    if (sources?.kind !== 'sources') throw new Error('no sources')
    expect(sources.brief).toBe(true)
    expect(sources.sources.map(joinPlaces)).toEqual(['docs/lock.md:2', 'docs/old.md:9'])
    const source = (...places: string[]) => {
      const quotes = places.map((place) => ({ claim: 'C1.1', place, text: '', note: '' }))
      return joinPlaces({ n: 1, place: 'docs/a.md:1-90', about: '', quotes })
    }
    expect(source('docs/a.md:17-19', 'docs/a.md:3', 'docs/a.md:17-19')).toBe('docs/a.md:3, 17-19')
    expect(source('docs/a.md:1-3', 'docs/a.md:3')).toBe('docs/a.md:1-3')
    expect(source()).toBe('docs/a.md:1-90')
    expect(source('https://example.org/a (page 3)')).toBe('https://example.org/a (page 3)')
  })
})

it.each([
  ['https://example.org/a/blob/0f/b.md#L3', true],
  ['docs/a%20b.md#L3', true],
  ['../docs/a.md', true],
  ['file:///tmp/a.md#L3', true],
  ['#source-1', true],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['//evil.example/x', false],
  ['https://example.org/"onclick', false],
  ['a b.md', false],
  ['a>b', false],
])('the URL %s is a link: %s', (link, isLink) => {
  const document = documentOf(reported())
  const linked = { ...document, sources: document.sources.map((source) => ({ ...source, link })) }
  const markdown = renderMarkdown(linked)
  const html = renderHtml(linked)
  expect(markdown.includes(`[\`docs/lock.md:1-3\`](<${link}>)`)).toBe(isLink)
  expect(html.includes(`<a href="${link}"><code>docs/lock.md:1-3</code></a>`)).toBe(isLink)
  if (!isLink) expect(markdown + html).not.toContain(link)
})

it('shows contradictions side by side even if the aggregator did not', () => {
  const state = reported()
  state.report = { markdown: '## Answer\n\nIt is so [C1.1].', uncited: 0 }
  const pieces = layOutReport(documentOf(state))
  const at = pieces.findIndex((piece) => piece.kind === 'section' && piece.text === 'Contradictions')
  const shown = pieces.slice(at + 1, at + 6).map((piece) => ('text' in piece ? piece.text : piece.kind))
  expect(shown).toEqual([
    '`docs/lock.md:2` [C1.1]',
    'The store takes its lock with O_EXCL within 5 seconds.',
    'against',
    '`docs/old.md:9` [C1.2]',
    'The store takes its lock with O_EXCL within 30 seconds.',
  ])
})

it('repeats neither gaps nor contradictions', () => {
  const text = JSON.stringify(layOutReport(documentOf(reported())))
  expect(text.split('recovery order')).toHaveLength(2)
  expect(text.split('"against"')).toHaveLength(2)
})

it('shows each source of a citation once, with the worst state of its claims', () => {
  const state = reported()
  const document = documentOf(state)
  expect(findSourceNumbers(document, ['C1.1', 'C2.1', 'C1.2', 'C9.9'])).toEqual([
    { n: 1, state: 'verified' },
    { n: 2, state: 'verified' },
  ])
  const verdict = { claim: 'C2.1', verified: false, sourceChanged: false }
  for (const over of ['quoted', 'not_found'] as const) {
    state.verdicts.set('C2.1', { ...verdict, state: over })
    expect(findSourceNumbers(documentOf(state), ['C1.1', 'C2.1'])).toEqual([{ n: 1, state: over }])
  }
  state.verdicts.delete('C2.1')
  expect(findSourceNumbers(documentOf(state), ['C1.1', 'C2.1'])).toEqual([{ n: 1, state: 'not_found' }])
})

it('marks quotes with quote characters in every format, and never claims', () => {
  const text = 'The store was written in COBOL by seven dwarfs.'
  const quote = 'The store takes its lock with O_EXCL.'
  const own = (words: string) => {
    const state = studyOf([
      makeStudyEntry('evidence', evidence('E1.1', quote, { canonical: 'doc/a.md', locator: '3' })),
      makeStudyEntry('claim', claim('C1.1', quote, { text })),
    ])
    state.report = { markdown: words, uncited: 0 }
    return documentOf(state)
  }
  const forms = [
    composeReport({ question: 'q', tasks: [], claims: [{ id: 'C1.1', task: 't1', text, quote }] }),
    '## Answer\n\nNothing. [C9.9]',
    unquoteClaims(`## Answer\n\nThey say "${text}" [C1.1] and “${text}”.`, [{ text, quote }]),
  ]
  for (const made of forms.map(own)) {
    const drawn = [
      textForm(made, { width: 500, color: 0, unicode: true, ambiguous: 1, all: true, plain: false }),
      renderMarkdown(made),
      renderHtml(made)
        .replaceAll('&quot;', '"')
        .replace(/<\/?q>/g, '"'),
      made.sections.answer + made.sections.findings,
    ]
    for (const form of drawn) {
      expect(form).toContain(text)
      expect(form).not.toMatch(new RegExp(`["“'‘«]${text.replaceAll('.', '\\.')}`))
    }
    for (const form of drawn.slice(0, 3)) expect(form).toContain(`"${quote}"`)
    expect(made.claims).toMatchObject([{ text, quote, place: 'doc/a.md:3' }])
  }
})

describe('the numbers of the sources', () => {
  const count = 8
  const ids = Array.from({ length: count }, (_, i) => `C1.${i + 1}`)
  const shuffle = (random: () => number) => ids.toSorted(() => random() - 0.5)

  /** Returns a study whose report cites all claims but the last three, in this order. */
  function studyCiting(order: readonly string[]) {
    const filed = ids.map((_, i) =>
      makeStudyEntry(
        'evidence',
        evidence(`E1.${i + 1}`, `Source ${i + 1} is quoted here.`, { locator: `${i + 1}` }),
      ),
    )
    const made = ids.map((id, i) =>
      makeStudyEntry('claim', claim(id, `Source ${i + 1} is quoted here.`, { evidence: `E1.${i + 1}` })),
    )
    const cited = order.slice(0, -3)
    const [first, second, ...rest] = cited
    const markdown = [
      `## Answer\n\nSo it is [${first}, ${second}].`,
      `## Findings\n\n${rest.map((id) => `- It is so [${id}, ${first}].`).join('\n')}`,
    ].join('\n\n')
    const state = studyOf([...filed, ...made])
    state.report = { markdown, uncited: 0 }
    return documentOf(state)
  }

  it.each([
    ['Markdown', (it: ReturnType<typeof documentOf>) => renderMarkdown(it)],
    [
      'HTML',
      (it: ReturnType<typeof documentOf>) => renderHtml(it).replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, ''),
    ],
    ['text', (it: ReturnType<typeof documentOf>) => textForm(it, { ...lookOf(), plain: false })],
  ])('begin with 1 and grow by 1 in %s, in any order of claims', (_, render) => {
    const random = rng(20261129)
    for (let i = 0; i < 20; i++) {
      const shown = render(studyCiting(shuffle(random))).split(/^(?:## )?Sources$/m)[0] ?? ''
      const numbers = [...shown.matchAll(/\[(\d[^\]]*)\]/g)].flatMap(([, text = '']) =>
        [...text.matchAll(/\b\d+\b/g)].map(([digits]) => Number(digits)),
      )
      const firsts = [...new Set(numbers)]
      expect(firsts).toEqual(firsts.map((_, at) => at + 1))
      expect(firsts.length).toBeGreaterThanOrEqual(count)
    }
  })
})
