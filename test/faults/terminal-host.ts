// A small Anode for fault tests: it opens terminals with programs in them, reports it, and waits.
import { createRunner } from '../../internal/process/run-command.ts'
import { createTerminalSessions } from '../../internal/pty/terminal-sessions.ts'

const [dataDir = '', mark = '', count = '3'] = process.argv.slice(2)
const runner = createRunner({ dataDir, env: process.env })
const table = createTerminalSessions(runner.terminal)
const sandbox = {
  ...{ kind: 'workspace' as const, folders: [], protected: [], network: [], write: [], revealed: [] },
  ...{ opened: [], history: false },
}
const env = { PATH: String(process.env.PATH), TERM: 'dumb', FIND_ME: mark }
const signal = new AbortController().signal
for (let i = 0; i < Number(count); i++) {
  const { id } = await table.start({ shell: 'bash', cwd: dataDir, env, sandbox, rows: 30, columns: 120 })
  const line = 'trap "" HUP TERM; setsid sleep 300 & sleep 300 & echo up; sleep 300\n'
  await table.write(id, line, async () => true)
  for (let text = ''; !text.includes('up'); )
    text += (await table.read(id, { ms: 20, maxChars: 100, signal })).text
}
process.stdout.write('ready\n')
await new Promise(() => undefined)
