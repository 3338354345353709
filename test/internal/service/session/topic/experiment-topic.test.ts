// Boards of the experiments of a workspace, read from a real ledger.
import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appendEntry, parseLedger } from '../../../../../internal/research/ledger/ledger.ts'
import { sessionHomeOf } from '../../../../../internal/research/workspace/session-home.ts'
import { readExperimentBoards } from '../../../../../internal/service/session/topic/experiment-topic.ts'
import { scratch } from '../../../../support/scratch.ts'
import { lines } from '../../../research/report/sample.ts'

test('a line that is written within the same tick of the clock as the one before reaches the board', async () => {
  const [data, workspace] = [scratch(), scratch()]
  const dir = join(sessionHomeOf(data, workspace), 'try')
  mkdirSync(dir, { recursive: true })
  const file = join(dir, 'ledger.jsonl')
  let ledger = parseLedger(new Uint8Array(), '')
  for (const line of lines) ledger = await appendEntry(file, ledger, line)
  const whole = readFileSync(file, 'utf8')
  const last = whole.lastIndexOf('\n', whole.length - 2) + 1
  writeFileSync(file, whole.slice(0, last))
  const tick = new Date(Math.floor(Date.now() / 1_000) * 1_000)
  utimesSync(file, tick, tick)
  const stop = new AbortController()
  const boards = readExperimentBoards({ data, workspace }, stop.signal)
  const runsOf = async () => {
    const { value } = await boards.next()
    return value?.type === 'experiment.board' ? value.payload.runs.length : undefined
  }
  const before = await runsOf()
  appendFileSync(file, whole.slice(last))
  utimesSync(file, tick, tick)
  const more = setTimeout(() => stop.abort(), 20_000)
  expect(await runsOf()).toBe((before ?? 0) + 1)
  clearTimeout(more)
  stop.abort()
})
