// How long a lone Esc waits: an arrow key that a slow line has broken is one, or is not.
import { expect, it } from 'vitest'
import { openScreenWorld } from '../../support/screen-program.ts'

const sleepMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it.each([
  { what: 'as the connection is', ui: {}, shown: /^ ab\[Dx/m },
  { what: 'as ui.escapeMs says', ui: { escapeMs: 2_000 }, shown: /^ axb/m },
])('waits $what', async ({ ui, shown }) => {
  const here = openScreenWorld([])
  here.put('../.config/anode/config.json', JSON.stringify({ ui }))
  const screen = here.start(here.model)
  await screen.until(/builtin|replies/)
  screen.type('ab')
  await screen.until(/^ ab/m)
  screen.type('\x1b')
  await sleepMs(400)
  screen.type('[D')
  await sleepMs(100)
  screen.type('x')
  await screen.until(shown)
  screen.type('\x03\x03\x03')
  expect(await screen.exit).toBe(0)
})

it('rejects a wait of 0 ms for Esc', async () => {
  const here = openScreenWorld([])
  here.put('../.config/anode/config.json', JSON.stringify({ ui: { escapeMs: 0 } }))
  const screen = here.start(here.model)
  expect(await screen.exit).toBe(2)
  expect(screen.lines()).toMatch(/ui\.escapeMs/)
})
