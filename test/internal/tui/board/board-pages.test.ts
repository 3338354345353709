// Status panes on a real screen over real records: in the pane, above the editor, and on their pages.
import { mkdirSync, realpathSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { appendEntry, parseLedger } from '../../../../internal/research/ledger/ledger.ts'
import { sessionHomeOf } from '../../../../internal/research/workspace/session-home.ts'
import type { SessionService } from '../../../../internal/session/client.ts'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { openInlineScreen } from '../../../../internal/tui/inline/inline-screen.ts'
import { emulateTerminal, forbiddenBytes } from '../../../support/emulator.ts'
import { sessionWorld } from '../../../support/session.ts'
import { ended, head, task } from '../../../support/study.ts'
import { lines } from '../../research/report/sample.ts'

const id = '01BBBBBBBBBBBBBBBBBBBBBBBB'

async function openScreen(form: 'inline' | 'full') {
  const world = await sessionWorld([])
  const { client } = await world.open(undefined, { mode: 'ask' })
  const terminal = emulateTerminal(form === 'full' ? 120 : 80, 30)
  const { input, output } = terminal
  const stop = new AbortController()
  const env = { HOME: world.cwd, ANODE_DATA_DIR: world.cwd, TERM: 'xterm-256color' }
  const ran: string[][] = []
  let end: () => void = () => undefined
  const service: SessionService = {
    ...world.service,
    async runVerb(words, { output: say, signal }) {
      ran.push([...words])
      if (words[1] === 'report') say('# The report\n\n- *one*\n', 'stdout')
      if (words[0] !== 'study' || words[1] === 'cancel' || words[1] === 'report') return { exit: 0 }
      say('study begins\n', 'stderr')
      say('## Answer\n\nIt is **so**.\n', 'stdout')
      await new Promise<void>((resolve) => {
        end = resolve
        signal.addEventListener('abort', () => resolve())
      })
      return { exit: 0 }
    },
  }
  const again = world.service.attach(client.thread) as typeof client
  const io = { input, output, env, cwd: world.cwd, signal: stop.signal }
  const screen = openInlineScreen(again, service, io, { form, notes: [] })
  const closed = screen.run()
  onTestFinished(async () => {
    stop.abort()
    await closed
  })
  await terminal.until(/\? help/)
  const say = (text: string) => {
    terminal.type(text)
    terminal.type('\r')
  }
  return { ...world, terminal, ran, say, end: () => end() }
}

async function beginStudy(data: string, cwd: string) {
  const journal = await openJournal(data)
  onTestFinished(() => journal.close())
  const first = head({ id, question: 'Which lock?', project: realpathSync(cwd), created: Date.now() + 50 })
  await journal.create(id, makeStudyEntry('study', first), {})
  const tasks = [task(1, 'locks'), task(2, 'crashes')]
  const started = { task: 't1', epoch: 1, owner: 'host-1', attempt: 1, pid: 1, host: 'host' }
  await journal.append(id, [
    makeStudyEntry('plan', { of: 'rules', tasks, dropped: [], notices: [] }),
    makeStudyEntry('task.started', started),
  ])
  return journal
}

describe('a study', () => {
  it('appears in the pane while it runs, has a page, and its report is drawn', async () => {
    const { terminal, say, data, cwd, ran, end } = await openScreen('full')
    say('/study Which lock?')
    await terminal.until(/study begins/)
    const journal = await beginStudy(data, cwd)
    await terminal.until(/│ STUDY 01BBBBBBBB +\/study[\s\S]*│ ● t1 locks/)
    await journal.append(id, [
      makeStudyEntry('task.ended', { task: 't1', result: ended('done') }, 'end:t1'),
      makeStudyEntry('status', { status: 'cancelled' }),
    ])
    await terminal.until(/│ ✔ t1 locks/)
    end()
    await terminal.until(/It is so\./)
    say('/study')
    await terminal.until(/Which lock\?[\s\S]*> ✔ t1 locks[\s\S]*Enter claims and mail of a task/)
    terminal.type('\r')
    await terminal.until(/No claim yet[\s\S]*Esc back/)
    terminal.type('q')
    terminal.type('r')
    await terminal.until(/The report[\s\S]*• one/)
    terminal.type('q')
    terminal.type('q')
    await terminal.until(/│ STUDY/)
    expect(ran.map((words) => words.slice(0, 2))).toEqual([
      ['study', '--model'],
      ['study', 'report'],
    ])
    expect(forbiddenBytes(terminal.bytes())).toEqual([])
  })

  it('appears above the editor, and is cancelled at the second key', async () => {
    const { terminal, say, data, cwd, ran } = await openScreen('inline')
    say('/study Which lock?')
    await terminal.until(/study begins/)
    await beginStudy(data, cwd)
    await terminal.until(/● study {2}01BBBBBBBB[\s\S]*● t1 locks +step 0[\s\S]*───/)
    terminal.type('/study')
    terminal.type('\r')
    await terminal.until(/k cancels the study/)
    terminal.type('k')
    await terminal.until(/Press k again to cancel the study/)
    expect(ran).toHaveLength(1)
    terminal.type('k')
    await terminal.until(/^(?![\s\S]*k again)/)
    expect(ran.at(-1)).toEqual(['study', 'cancel', id])
  })
})

it('experiments have a page that grows with their ledger', async () => {
  const { terminal, say, data, cwd } = await openScreen('inline')
  say('/research')
  await terminal.until(/No experiments in this workspace yet/)
  const dir = join(sessionHomeOf(data, realpathSync(cwd)), 'try')
  mkdirSync(dir, { recursive: true })
  // the selection stays on its run, so the first runs have to arrive together
  const filling = join(cwd, 'ledger.jsonl')
  let ledger = parseLedger(new Uint8Array(), '')
  for (const line of lines) ledger = await appendEntry(filling, ledger, line)
  renameSync(filling, join(dir, 'ledger.jsonl'))
  await terminal.until(/is better[\s\S]*> +6 [\s\S]*keep/)
  terminal.type('\x1b[B')
  terminal.type('\r')
  await terminal.until(/verdict +crash/)
  terminal.type('\x1b')
  await terminal.until(/Enter run details/)
  terminal.type('\x1b')
  await terminal.until(/\? help/)
  expect(forbiddenBytes(terminal.bytes())).toEqual([])
})
