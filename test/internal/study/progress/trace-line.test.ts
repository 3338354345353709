import { expect, it } from 'vitest'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { traceLine } from '../../../../internal/study/progress/trace-line.ts'
import { finished, lines } from '../../../support/study.ts'

const began = 1_700_000_000_000

it('has one line for each entry with any contents', () => {
  const step = makeStudyEntry('step', {
    task: 't1',
    n: 1,
    request: 'h',
    mail: [],
    notes: [],
    reply: { text: '', calls: [{ id: 'c', name: 'grep', args: { pattern: 'a\nb' } }], end: 'calls' },
    usage: { input: 9, output: 1, usd: 0 },
    ms: 4,
  })
  const told = lines([...finished(), step, makeStudyEntry('notice', { code: 'x', text: 'a\n\x1b[2Jb' })]).map(
    (line) => traceLine(line, began),
  )
  expect(told.filter((line) => /[\n\x1b]/.test(line))).toEqual([])
  expect(told[0]).toBe(
    '    1    +0.000  study        01JD3K8QAAAAAAAAAAAAAAAAAA How does the store lock files, and ' +
      'what happens on a crash?',
  )
  expect(told.slice(-2)).toEqual([
    '   17   +16.000  step         t1 step 1, 9+1 tokens, 4 ms: grep {"pattern":"a\\nb"}',
    '   18   +17.000  notice       x: a b',
  ])
})
