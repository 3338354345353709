import { expect, it } from 'vitest'
import { brief } from '../../../../internal/study/show/brief.ts'
import { entry } from '../../../../internal/study/study.ts'
import { evidence, finished, lines } from '../../../support/study.ts'

const step = entry('step', {
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
    expect(brief(line)).toMatchObject({ seq: line.seq, ts: line.ts, kind: line.kind })
  }
  const [first, second] = lines([step, entry('evidence', evidence('E1.1', 'excerpt'))])
  expect(brief(first as never)).toEqual({
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
  expect(brief(second as never)).not.toHaveProperty('excerpt')
})
