// `anode attach` on a real terminal: the pages and panes around the conversation work as in a local session.
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plantBoards } from '../support/boards.ts'
import { openScreenWorld } from '../support/screen-program.ts'

it('shows subagents, whole results, studies and experiments of a run in another process', async () => {
  const title = 'Count far'
  const until = 'until [ -e go ]; do sleep 0.1; done; seq 500000 700000'
  const at = openScreenWorld([
    { calls: [{ name: 'bash', args: { command: 'seq 1 20000' } }] },
    { calls: [{ name: 'task', args: { title, goal: 'count' } }] },
    {
      task: title,
      calls: [{ name: 'bash', args: { command: until, timeout_ms: 170_000 } }],
    },
    { task: title, text: 'The child has counted.' },
    { text: 'All is counted.' },
  ])
  const words = ['runs', 'start', 'Count', ...at.model, '--approval', 'unrestricted']
  expect(await at.anode(words)).toMatchObject({ code: 0 })
  await plantBoards(at.data, realpathSync(at.dir), 'Which locks are there?')
  const screen = at.start(['attach'], { columns: 100, rows: 30 })
  await screen.until(/Count far/, 60_000)
  screen.type('/agents\r')
  await screen.until(/Agents +1 of 1 running[\s\S]*call 1 +bash until/, 60_000)
  screen.type('\r')
  await screen.until(/the agent: Count far/)
  at.put('go', '')
  await screen.until(/The child has counted\./, 60_000)
  // The page shows the call that was open when the page was opened. That call has continued since.
  screen.type('v')
  await screen.until(/500000\s+500001\s/)
  screen.type('G')
  await screen.until(/699999\s+700000\s/)
  for (const key of ['q', 'q', 'q']) screen.type(key)
  await screen.until(/All is counted\.[\s\S]*done/)
  screen.type('/study\r')
  await screen.until(/Which locks are there\?/)
  screen.type('q')
  screen.type('/research\r')
  await screen.until(/Enter run details/)
  await screen.until(/baseline/)
  screen.type('q')
  // a command of the program runs in the process that shows the run
  screen.type('/export out.md\r')
  await screen.until(() => existsSync(join(at.dir, 'out.md')), 60_000)
  await screen.until(/^(?![\s\S]*Esc stops)/, 60_000)
  screen.type('\x04')
  expect(await screen.exit).toBe(0)
}, 400_000)
