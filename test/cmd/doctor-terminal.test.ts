// Restoring a terminal after a screen was killed.
import { expect, it } from 'vitest'
import { scratch } from '../support/scratch.ts'
import { anodeLine, openTerminal } from '../support/tmux.ts'

it('switches modes off, echoes keys again, and leaves the cursor in its position', async () => {
  const dir = scratch()
  const env = { PATH: process.env.PATH ?? '', HOME: dir, ANODE_DATA_DIR: dir }
  const line = [
    "printf 'first line\\n\\033[?1000h\\033[?2004h\\033[?25l'",
    'stty raw -echo',
    anodeLine('doctor', '--terminal'),
    "stty -a | grep -o ' -\\?icanon\\| -\\?echo '",
    'echo the end',
  ].join('; ')
  const terminal = openTerminal(line, { cwd: dir, env, rows: 30 })
  const rows = (await terminal.until(/the end/)).map((row) => row.trimEnd())
  // the echo of the first Enter may appear before it
  expect(rows.join('\n')).toMatch(/^\n?first line\nwhat +value\n/)
  expect(rows.join('\n')).toMatch(/size +80x30[\s\S]*given back +modes off[\s\S]*\n icanon\n echo\nthe end/)
  expect(terminal.bytes()).toMatch(/\x1b\[\?1000l[\s\S]*\x1b\[\?1049l[\s\S]*\x1b\[\?2004l[\s\S]*\x1b\[\?25h/)
})
