// Keys that arrive between Enter and the opening of a list, on the built program in a pseudo terminal.
import { expect, it } from 'vitest'
import { openScreenWorld } from '../../../support/screen-program.ts'

const down = '\x1b[B'
const escapeKey = '\x1b'

async function open(form: 'inline' | 'full') {
  const { model, start } = openScreenWorld([{ text: 'one answer' }])
  const screen = start([...model, '--screen', form, 'begin'], { columns: 100, rows: 30 })
  await screen.until(/one answer[\s\S]*done/)
  await screen.until(/\? help/)
  return screen
}

/** Commands that read something before they open a list or a page, and what that shows of a filter. */
const opening = ['/model', '/models', '/profile', '/resume', '/sessions', '/search begin', '/rewind'] as const

it.each(opening)('%s gets the keys that follow Enter in the same chunk', async (command) => {
  const screen = await open('inline')
  screen.type(command)
  await screen.until(() => screen.rows().includes(`\n ${command}\n`))
  // an escapeKey sequence between Enter and the text tells the chunk from a paste
  screen.type(`\r${down}zzz`)
  await screen.until(() => /(?:> |begin)zzz_[\s\S]*Esc (?:closes|back)/.test(screen.rows()))
  // and Escape before the list opens closes it, so that the text after it is for the editor
  screen.type(`${escapeKey}${down}`)
  await screen.until(() => /\? help/.test(screen.rows()))
  screen.type(command)
  await screen.until(() => screen.rows().includes(`\n ${command}\n`))
  screen.type(`\r${escapeKey}${down}abc`)
  await screen.until(() => screen.rows().includes('\n abc\n'))
  expect(screen.rows()).not.toMatch(/Esc (?:closes|back)/)
})

it.each(['inline', 'full'] as const)(
  'the palette gets the keys that follow it on the %s screen',
  async (form) => {
    const screen = await open(form)
    screen.type(`\x10${down}zzz`)
    await screen.until(() => /> zzz_[\s\S]*Esc closes/.test(screen.rows()))
  },
)
