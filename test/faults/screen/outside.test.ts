// Data that a screen passes to the user's programs: the text to an editor, the answer to a clipboard.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openScreenWorld, type ScreenWorld } from '../../support/screen-program.ts'

/** Creates a directory with programs and puts it first on PATH. */
function putPrograms(world: ScreenWorld, programs: Readonly<Record<string, string>>) {
  const dir = join(dirname(world.dir), 'programs')
  mkdirSync(dir, { recursive: true })
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(dir, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(dir, name), 0o755)
  }
  return { dir, env: { PATH: `${dir}:${process.env.PATH}` } }
}

it.each([
  ['fails', 'EDITOR', 'broken'],
  ['is not there', 'VISUAL', 'nowhere --wait'],
])(
  'an editor that %s leaves the text unchanged, and the screen reports it',
  async (_, variable, editor) => {
    const world = openScreenWorld([])
    const { env } = putPrograms(world, { broken: 'echo other > "$1"; exit 3' })
    const screen = world.start(world.model, {}, { ...env, [variable]: editor })
    await screen.until(/Ask, or say/)
    screen.type('my words')
    await screen.until(/my words/)
    screen.type('\x07')
    await screen.until(/the editor failed; the text is unchanged/)
    expect(screen.screen()).toMatch(/─\n my words\n─/)
    screen.type('!')
    await screen.until(/my words!/)
  },
  60_000,
)

it('an editor with arguments gets pastes in full, and its saved file becomes the text', async () => {
  const world = openScreenWorld([])
  const { dir, env } = putPrograms(world, {
    mine: 'echo "$1" >"$0.args"; cat "$2" >"$0.got"; echo new > "$2"',
  })
  const screen = world.start(world.model, {}, { ...env, VISUAL: 'mine --wait', EDITOR: 'nowhere' })
  await screen.until(/Ask, or say/)
  const lines = Array.from({ length: 12 }, (_, i) => `line ${i}`).join('\n')
  screen.type(`see: \x1b[200~${lines}\x1b[201~`)
  await screen.until(/see: \[paste 1, 12 lines\]/)
  screen.type('\x07')
  await screen.until(/─\n new\n─/)
  expect(readFileSync(join(dir, 'mine.got'), 'utf8')).toBe(`see: ${lines}`)
  expect(readFileSync(join(dir, 'mine.args'), 'utf8')).toBe('--wait\n')
}, 60_000)

it('an answer goes to the terminal and to the clipboard program, never to a program of the workspace', async () => {
  const world = openScreenWorld([{ text: 'It is *so*.' }])
  const { dir, env } = putPrograms(world, { xclip: 'cat >"$0.got"' })
  world.put('bin/xclip', '#!/bin/sh\ntouch "$0.ran"\n')
  chmodSync(join(world.dir, 'bin/xclip'), 0o755)
  const path = `${join(world.dir, 'bin')}:${env.PATH}`
  const screen = world.start([...world.model, 'tell me'], {}, { DISPLAY: ':9', PATH: path })
  await screen.until(/It is so\.[\s\S]*done/)
  screen.type('/copy\r')
  await screen.until(/11 characters were copied to xclip and the terminal's clipboard/)
  expect(readFileSync(join(dir, 'xclip.got'), 'utf8')).toBe('It is *so*.')
  expect(screen.bytes()).toContain(`\x1b]52;c;${Buffer.from('It is *so*.').toString('base64')}\x07`)
  expect(existsSync(join(world.dir, 'bin/xclip.ran'))).toBe(false)
}, 60_000)
