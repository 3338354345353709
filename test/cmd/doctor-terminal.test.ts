// A terminal that a killed screen has left behind is given back.
import { expect, it } from 'vitest'
import { scratch } from '../support/scratch.ts'
import { anodeLine, openTerminal } from '../support/tmux.ts'

it('switches modes off, shows keys again, and leaves the cursor where it was', async () => {
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
  // before it may stand the echo of the Enter that began it
  expect(rows.join('\n')).toMatch(/^\n?first line\nwhat +value\n/)
  expect(rows.join('\n')).toMatch(/size +80x30[\s\S]*given back +modes off[\s\S]*\n icanon\n echo\nthe end/)
  expect(terminal.bytes()).toMatch(/\x1b\[\?1000l[\s\S]*\x1b\[\?1049l[\s\S]*\x1b\[\?2004l[\s\S]*\x1b\[\?25h/)
})
