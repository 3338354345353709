// Files that a user attaches on the page, in a real browser: sent, removed, rejected.
import { expect, it } from 'vitest'
import { openStore } from '../../../../internal/store/sqlite.ts'
import { withBrowser } from '../../../support/browser.ts'
import { servedData, startServer } from '../../../support/http-server.ts'
import { findBarriers } from '../../../support/page.ts'
import { makePdf } from '../../../support/pdf.ts'

/** The code under test, bundled as dist/page. */
export type AttachedFilesUnderTest = typeof import('../../../../internal/page/run/attached-files.ts')

const pdf = makePdf(['The keel was laid in 1871.'])
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const files = [
  { name: 'ship.pdf', mimeType: 'application/pdf', buffer: pdf },
  { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') },
  { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Launched on a Monday.\n') },
  { name: '<b>.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 0, 255]) },
]

const within = { timeout: 60_000 }

withBrowser('files that are attached on the page', (open) => {
  it('are sent with the next message, can be removed, and are rejected above 5 MiB', async () => {
    const at = servedData([{ text: 'Here.' }, { text: 'Here.' }, { text: 'Here.' }])
    const replied = (count: number) => expect.poll(() => page.getByText('Here.').count(), within).toBe(count)
    const server = await startServer(at)
    const begun = await server.ask('/v1/runs', { body: at.wishes('Begin') })
    const thread = String(begun.json['thread'])
    const { page, complaints } = await open()
    await page.goto(`http://127.0.0.1:${server.port}/runs/${thread}#token=${server.token}`)
    await replied(1)
    const input = page.getByLabel('Attach')
    await input.setInputFiles([
      ...files,
      { name: 'gone.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
    ])
    await page.getByText('gone.txt').waitFor()
    await page.locator('.queued', { hasText: 'gone.txt' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('gone.txt').waitFor({ state: 'detached' })
    await input.setInputFiles({ name: 'big.bin', mimeType: 'text/plain', buffer: Buffer.alloc(6 << 20, 97) })
    await page.getByText('not attached: big.bin').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('textbox').fill('Read them')
    await page.getByRole('button', { name: 'Say', exact: true }).click()
    await replied(2)
    expect(await page.locator('.composer .queued').count()).toBe(0)
    await input.setInputFiles(files.slice(0, 1))
    await page.locator('.queued').waitFor()
    await page.getByRole('button', { name: 'Say', exact: true }).click()
    await replied(3)
    const stored = await readMessages(at.data, thread)
    expect(stored).toMatchObject([
      { text: 'Begin' },
      { text: expect.stringMatching(/\[file ship\.pdf\][\s\S]*The keel was laid in 1871/) },
      { text: expect.stringMatching(/\[file notes\.txt\]\nLaunched on a Monday/) },
      { text: expect.stringMatching(/\[file <b>\.bin\]\n\[not read: 4 bytes of another format\]/) },
      { text: expect.stringMatching(/^\[file ship\.pdf\].* Read them$/), images: 1 },
      { text: expect.stringMatching(/The keel was laid in 1871/) },
      { text: '[file ship.pdf]' },
    ])
    expect(complaints).toEqual([])
  }, 200_000)
})

/** Returns the messages that the model got from the user, with the number of images. */
async function readMessages(data: string, thread: string): Promise<{ text: string; images: number }[]> {
  const store = await openStore(data)
  try {
    return [...store.threads.events(thread)].flatMap((event) =>
      event.type === 'message' && event.payload.role === 'user'
        ? [{ text: event.payload.text, images: event.payload.images?.length ?? 0 }]
        : [],
    )
  } finally {
    store.close()
  }
}
