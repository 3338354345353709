// The hidden entry of a provider key: the key is stored only in the file of keys, however the entry ends.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openScreenWorld, typeLine } from '../../support/screen-program.ts'

const sleepMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Not a valid key by its format, so it is rejected before any request. */
const typed = 'sk-typed-secret 4711'

const filesBelow = (dir: string): string[] =>
  readdirSync(dir).flatMap((name) => {
    const path = join(dir, name)
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })

it.each([
  { end: 'Enter', keys: '\r', says: /invalid key/ },
  { end: 'Esc', keys: '\x1b', says: /^(?![\s\S]*Key of openai)/ },
  { end: 'SIGTERM', keys: '', says: /Key of openai/ },
])('after $end', async ({ keys, says }) => {
  const here = openScreenWorld([{ text: 'Said.' }])
  const screen = here.start([...here.model, '--screen', 'full', 'Begin here'])
  await screen.until(/Said\./)
  await typeLine(screen, '/model')
  await screen.until(/Model[\s\S]*openai\/gpt/, 8_000)
  for (const letter of 'openai/') {
    screen.type(letter)
    await sleepMs(20)
  }
  await screen.until(/> openai\/_[\s\S]*> openai\/gpt/, 8_000)
  screen.type('\r')
  await screen.until(/Key of openai/, 8_000)
  screen.type(`\x1b[200~${typed}\x1b[201~`)
  await screen.until(/\*{10}/, 8_000)
  screen.type(keys)
  await screen.until(says, 8_000)
  if (keys !== '') {
    screen.type('\x1b[A')
    // the text that was typed before it, and not the key
    await screen.until(/^ \/model$/m, 8_000)
    screen.type('\x03')
  }
  screen.program.kill('SIGTERM')
  expect(await screen.exit).toBe(143)
  expect(screen.bytes()).not.toContain('typed-secret')
  const home = dirname(here.dir)
  const holders = filesBelow(home).filter((path) => readFileSync(path, 'latin1').includes('typed-secret'))
  expect(holders).toEqual([])
})
