// The built program below shells with job control: its screen while it is stopped, and after it continues.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { openScreenWorld } from '../../support/screen-program.ts'
import { anodeLine, openTerminal } from '../../support/tmux.ts'

const shells = ['bash --norc --noprofile -i', 'zsh -f -i', 'fish --no-config -i']
const isInstalled = (line: string) => spawnSync(line.split(' ')[0] ?? '', ['-c', 'exit']).status === 0

describe.each(shells.filter((line) => line.startsWith('bash') || isInstalled(line)))('below %s', (shell) => {
  it.each(['inline', 'full'])('stops, and continues at the same state (%s)', async (form) => {
    const { dir, data, model } = openScreenWorld([{ text: 'hello there' }])
    const env = { HOME: `${dir}/..`, ANODE_DATA_DIR: data, PATH: String(process.env.PATH) }
    const { paste, press, until, screen, lines } = openTerminal(shell, { cwd: dir, env })
    const enter = (line: string) => {
      paste(line)
      press('Enter')
    }
    await until(/[$#%>] ?$/m)
    enter(anodeLine(...model, '--screen', form, 'go'))
    await until(/hello there[\s\S]*done/)
    paste('half a thought')
    await until(/half a thought/)
    press('C-z')
    await until(/[Ss]topped|suspended/)
    expect(screen().join('\n')).not.toMatch(/half a thought|^ craft/m)
    // the shell has the terminal in its original state
    enter('stty -a | grep -o ".icanon"; echo said by the shell')
    await until(/^ icanon\n+said by the shell/m)
    enter('fg')
    await until(/half a thought *\n[─-]{40}/)
    const rules = screen().filter((row) => /^[─-]{40,}/.test(row))
    expect(rules).toHaveLength(2)
    if (form === 'inline') expect(lines()).toMatch(/hello there[\s\S]*said by the shell[\s\S]*half a thought/)
    press('C-u')
    await until((text) => !text.includes('half a thought'))
    press('C-d')
    await until(/anode --resume \w+/)
    expect(lines()).toContain('hello there')
    expect(lines().match(/^[─-]{40,}/gm) ?? []).toEqual([])
    enter('exit')
  })
})
