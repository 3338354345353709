// Boards of a workspace for tests: a study and an experiment session, from their real records.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { appendEntry, parseLedger } from '../../internal/research/ledger/ledger.ts'
import { sessionHomeOf } from '../../internal/research/workspace/session-home.ts'
import { openJournal } from '../../internal/store/journal/sqlite.ts'
import { makeStudyEntry } from '../../internal/study/log/entries.ts'
import { lines } from '../internal/research/report/sample.ts'
import { head } from './study.ts'

/** `project`: the real path of the workspace. */
export async function plantBoards(data: string, project: string, question: string): Promise<void> {
  const id = '01AAAAAAAAAAAAAAAAAAAAAAAA'
  const journal = await openJournal(data)
  await journal.create(id, makeStudyEntry('study', head({ id, question, project, created: Date.now() })), {})
  await journal.close()
  const dir = join(sessionHomeOf(data, project), 'try')
  mkdirSync(dir, { recursive: true })
  let ledger = parseLedger(new Uint8Array(), '')
  for (const line of lines) ledger = await appendEntry(join(dir, 'ledger.jsonl'), ledger, line)
}
