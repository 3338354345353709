// The envelope: its parts, its hunks and anchors, and rejected envelopes.
import { describe, expect, it } from 'vitest'
import { isEnvelope, readEnvelope } from '../../../internal/patch/patch-envelope.ts'
import { refusalOf } from '../../support/refusal.ts'

const wrap = (body: string) => `*** Begin Patch\n${body}*** End Patch\n`

it('is recognized by its first line', () => {
  expect(isEnvelope(`\n${wrap('')}`)).toBe(true)
  expect(isEnvelope('--- a/f\n+++ b/f\n@@ -1 +1 @@\n-*** Begin Patch\n')).toBe(false)
})

it('reads every kind of part', () => {
  const files = readEnvelope(
    wrap(
      '*** Add File: new.txt\n+one\n+\n+two\n*** Delete File: old.txt\n*** Update File: a b.py\n*** Move to: c.py\n@@ class A\n@@ def f(self):\n x\n-y\n+z\n\n*** End of File\n',
    ),
  )
  expect(files).toMatchObject([
    {
      kind: 'create',
      path: 'new.txt',
      hunks: [{ lines: [{ text: 'one\n' }, { text: '\n' }, { text: 'two\n' }] }],
    },
    { kind: 'delete', path: 'old.txt', blind: true, hunks: [] },
    {
      kind: 'rename',
      path: 'c.py',
      from: 'a b.py',
      hunks: [
        {
          anchors: ['class A', 'def f(self):'],
          atEnd: true,
          lines: [{ op: ' ' }, { op: '-' }, { op: '+' }, { op: ' ', text: '\n' }],
        },
      ],
    },
  ])
})

it('takes a first hunk without @@, CRLF, and hunks that only add', () => {
  const [file] = readEnvelope(
    wrap('*** Update File: f\n-a\n+b\n@@\n+end\n@@ there\n+behind\n').replaceAll('\n', '\r\n'),
  )
  expect(file?.hunks.map(({ anchors, atEnd, lines }) => [anchors, atEnd, lines.length])).toEqual([
    [[], false, 2],
    [[], true, 1],
    [['there'], false, 1],
  ])
})

describe('rejects', () => {
  it.each<[string, string, number | undefined]>([
    ['no end', '*** Begin Patch\n*** Delete File: f\n', undefined],
    ['text behind the end', `${wrap('*** Delete File: f\n')}more\n`, 4],
    ['nothing', wrap(''), undefined],
    ['text before a part', wrap('hello\n*** Delete File: f\n'), 2],
    ['a move of nothing', wrap('*** Move to: g\n'), 2],
    ['no name', wrap('*** Add File: \n+x\n'), 2],
    ['an added line without +', wrap('*** Add File: f\n+a\nb\n'), 4],
    ['a line without prefix', wrap('*** Update File: f\n@@\n a\nb\n'), 5],
    ['an update of nothing', wrap('*** Update File: f\n'), 3],
    ['an empty hunk', wrap('*** Update File: f\n@@\n-a\n@@\n'), 3],
    ['content of a removal', wrap('*** Delete File: f\n-a\n'), 3],
  ])('%s', async (_, text, line) => {
    const failure = await refusalOf(() => readEnvelope(text))
    expect([failure?.code, failure?.detail?.line]).toEqual(['bad_patch', line])
  })
})
