// Editors of the screen end at once in a real bash; scripts for them and other words are left alone.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { refuseScreenEditors } from '../../../internal/tool-support/screen-editors.ts'

const dir = mkdtempSync(join(tmpdir(), 'anode-editors-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
for (const name of ['vi', 'vim', 'nvim', 'view', 'vimdiff']) {
  writeFileSync(join(dir, name), `#!/bin/sh\necho real ${name} "$@"\n`)
  chmodSync(join(dir, name), 0o755)
}
const env = { PATH: `${dir}${delimiter}${process.env.PATH}`, HOME: dir, SHLVL: '1' }
const run = (command: string) =>
  spawnSync('bash', ['-c', refuseScreenEditors(command)], { env, encoding: 'utf8' })

it.each(['vi a', 'vim', 'cd . && vim a b', 'nvim a', 'vimdiff a b', 'x=1 view a', '(vi a)'])(
  '%s is rejected with a reason',
  (command) => {
    const { status, stdout, stderr } = run(command)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^\w+: no terminal here; /)
  },
)

it.each(['vim -es -c wq a', "vim -c ':%s/a/b/' -c wq a", 'nvim --headless +q', 'vim --version', 'vi +wq a'])(
  '%s runs',
  (command) => {
    expect(run(command).stdout).toMatch(/^real n?vim? /)
  },
)

it.each(['echo a', 'cat vi.txt', 'ls ./vi', 'grep -r view-model .', 'which-vi', 'overview'])(
  '%s does not count as an editor',
  (command) => {
    expect(refuseScreenEditors(command)).toBe(command)
  },
)

it('a word that is not a command changes nothing', () => {
  const command = 'echo "vim and view" vi; type -t echo'
  expect(run(command).stdout).toBe(execFileSync('bash', ['-c', command], { encoding: 'utf8' }))
})
