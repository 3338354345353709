// The errors that end the start of a session before the screen is drawn, and the session that an
// empty command opens.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseArgs } from '../../../../cmd/anode/parse-args.ts'
import { readForeignWords } from '../../../../cmd/anode/refused-line/foreign-words.ts'
import { session } from '../../../../cmd/anode/session/index.ts'
import { readBareLine } from '../../../../cmd/anode/session/session-line.ts'
import type { CommandIo } from '../../../../cmd/anode/verb.ts'
import { UserError } from '../../../../internal/base/errors.ts'
import { emulateTerminal } from '../../../support/emulator.ts'
import { scratchWith } from '../../../support/scratch.ts'

/** Returns a workspace with `ui` in the user's configuration, at an emulated terminal. */
function place(ui: object) {
  const home = scratchWith({ '.config/anode/config.json': JSON.stringify({ ui }) })
  const terminal = emulateTerminal()
  const output = {
    isTTY: true,
    stream: terminal.output,
    write: (text: string) => terminal.output.write(text),
  }
  const io = {
    ...{ stdin: terminal.input, piped: false, stdout: output, stderr: output, cwd: scratchWith({}) },
    ...{
      env: { HOME: home, ANODE_DATA_DIR: join(home, 'data'), XDG_CONFIG_HOME: join(home, '.config') },
      signal: AbortSignal.timeout(5_000),
    },
  } as unknown as CommandIo
  return { io, terminal }
}

it.each([
  [{ keys: { sned: 'f2' } }, /unknown action "sned"/],
  [{ keys: { send: 'hyper-q' } }, /hyper-q of send is not a key/],
  [{ keys: { palette: 'f2', help: 'f2' } }, /F2 is used for both/],
  [{ keys: { send: 'ctrl-m' } }, /ctrl-m of send is Enter to a terminal/],
  [{ notify: 'loudly' }, /ui\.notify must be one of off, bell, osc9, or of type array/],
])('%j ends the start with exit code 2 and draws nothing', async (ui, why) => {
  const { io, terminal } = place(ui)
  const error = await session.run(parseArgs(session, []), io).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UserError)
  expect(error).toMatchObject({ exit: 2, message: expect.stringMatching(why), hint: expect.anything() })
  expect(String(error)).toContain(join(String(io.env.HOME), '.config/anode/config.json'))
  expect(terminal.bytes()).toBe('')
})

it('an empty command opens a session on a terminal', async () => {
  const { io } = place({})
  for (const words of [[''], [' ', '']]) {
    const meant = readForeignWords(words, ['execute'], {})
    expect(meant).toEqual([])
    expect(await readBareLine(words, meant ?? [], io)).toMatchObject({ verb: { name: 'session' }, words: [] })
  }
})
