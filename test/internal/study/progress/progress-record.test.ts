import { expect, it } from 'vitest'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { toProgressRecord } from '../../../../internal/study/progress/progress-record.ts'
import { evidence, finished, lines } from '../../../support/study.ts'

const step = makeStudyEntry('step', {
  task: 't1',
  n: 2,
  request: 'hash',
  mail: [{ id: 'm', from: 'a', type: 'status', body: 'secret' }],
  notes: [],
  reply: { text: 'long', calls: [{ id: 'x', name: 'grep', args: {} }], end: 'calls' },
  usage: { input: 5, output: 1, usd: 0 },
  ms: 3,
})

it('names every entry and leaves out what was read and written', () => {
  for (const line of lines([...finished(), step])) {
    expect(toProgressRecord(line)).toMatchObject({ seq: line.seq, ts: line.ts, kind: line.kind })
  }
  const [first, second] = lines([step, makeStudyEntry('evidence', evidence('E1.1', 'excerpt'))])
  expect(toProgressRecord(first as never)).toEqual({
    seq: 1,
    ts: expect.any(Number),
    kind: 'step',
    task: 't1',
    n: 2,
    calls: ['grep'],
    mail: 1,
    input: 5,
    output: 1,
    usd: 0,
    ms: 3,
  })
  expect(toProgressRecord(second as never)).not.toHaveProperty('excerpt')
})
