// Questions that appeared unseen: the next key does not answer them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shareRows } from '../../support/sample.ts'
import { openScreenWorld, type ScreenProgram, type ScreenWorld } from '../../support/screen-program.ts'

const sleepMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const bash = (command: string) => ({ name: 'bash', args: { command } })
const ask = ['--approval', 'ask']
/** In milliseconds: longer than keys count as meant for the editor, and longer than a pause in typing. */
const quietMs = 1_200

/**
 * Opens a screen and allows the first call, which waits for a file `go`. When the file exists, the second
 * call needs approval.
 */
async function openAsking(form: string): Promise<{ here: ScreenWorld; screen: ScreenProgram }> {
  const here = openScreenWorld([
    { calls: [bash('until [ -e go ]; do sleep 0.1; done')] },
    { calls: [bash('touch ran')] },
    { text: 'That was all.' },
  ])
  const screen = here.start([...here.model, ...ask, '--screen', form, 'go'])
  await screen.until(/y once/)
  await sleepMs(quietMs)
  screen.type('y')
  await screen.until(/^(?![\s\S]*y once)[\s\S]*● bash/)
  return { here, screen }
}

async function allowAndEnd({ here, screen }: Awaited<ReturnType<typeof openAsking>>): Promise<void> {
  expect(existsSync(join(here.dir, 'ran'))).toBe(false)
  screen.type('\x15')
  await screen.until(/^(?![\s\S]*\n yes\n)/)
  screen.type('\t')
  await screen.until(/touch ran[\s\S]*y once/)
  await sleepMs(quietMs)
  screen.type('y')
  await screen.until(/That was all\.[\s\S]*done/)
  expect(existsSync(join(here.dir, 'ran'))).toBe(true)
  screen.program.kill('SIGTERM')
  expect(await screen.exit).toBe(143)
}

const forms = ['inline', 'full']

describe('a question that came', () => {
  it.each(shareRows(forms, 0, 2))(
    'while a page was open is not answered by the keys after it (%s)',
    async (form) => {
      const asking = await openAsking(form)
      const { here, screen } = asking
      screen.type('\x0f')
      await screen.until(/Esc back/)
      const before = screen.bytes().length
      here.put('go', '')
      // the page is unchanged, and the title of the terminal reports the question
      await screen.until(() => /\x1b\]0;[^\x07]*wait/.test(screen.bytes().slice(before)))
      await sleepMs(quietMs)
      screen.type('q')
      await screen.until(/^(?![\s\S]*Esc back)/)
      for (const key of 'yes') {
        screen.type(key)
        await sleepMs(30)
      }
      await screen.until(/^ yes/m)
      await allowAndEnd(asking)
    },
  )

  it.each(shareRows(forms, 1, 2))(
    'while the terminal did not read is not answered by the keys meanwhile (%s)',
    async (form) => {
      const asking = await openAsking(form)
      const { here, screen } = asking
      screen.program.pause()
      // the output fills all buffers between the program and the terminal
      for (let i = 0; i < 60; i++) {
        screen.program.resize(80 - (i % 3), 24)
        await sleepMs(110)
      }
      screen.program.resize(80, 24)
      here.put('go', '')
      await sleepMs(3_000)
      for (const key of 'yes') {
        screen.type(key)
        await sleepMs(400)
      }
      expect(existsSync(join(here.dir, 'ran'))).toBe(false)
      screen.program.resume()
      await screen.until(/^ yes/m)
      await allowAndEnd(asking)
    },
  )
})
