// Markdown of pages that mean harm: the thread ends in time, and pages are still read as plain paragraphs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { convertHtml } from '../../../internal/web/html-markdown.ts'
import { readPageText } from '../../../internal/web/page-text.ts'
import { golden } from '../../support/golden.ts'
import { root } from '../../support/sources.ts'

const { signal } = new AbortController()
/** Within what is converted, and slow by its many paragraphs. */
const slow = '<p>x</p>'.repeat(120_000)

test('stops at the time limit for a slow page without blocking the program', async () => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 5)
  const made = await convertHtml(slow, 'https://a.test/', signal, 150)
  clearInterval(timer)
  expect([made, ticks > 5]).toEqual([undefined, true])
})

test.each([
  ['nested too deeply', `${'<div>'.repeat(900)}<p>far below</p>`],
  ['made of too many elements', `${'<br>'.repeat(300_000)}<p>far below</p>`],
])('a page that is %s is read as paragraphs', async (_, html) => {
  const body = { url: 'https://a.test/', contentType: 'text/html', bytes: Buffer.from(html), cut: false }
  const read = await readPageText(body, false, signal)
  expect([read.text, read.notes[0]]).toEqual(['far below', expect.stringContaining('plain paragraphs')])
})

test('an abort stops the conversion', async () => {
  const stop = new AbortController()
  const making = convertHtml(slow, 'https://a.test/', stop.signal)
  stop.abort(new Error('stopped'))
  await expect(making).rejects.toThrow('stopped')
})

test('converts a manual page with all its elements', async () => {
  const html = readFileSync(join(root, 'test', 'fixtures', 'web', 'manual-page.html'), 'utf8')
  const made = await convertHtml(html, 'https://relay.test/docs/config.html', signal)
  golden('web/manual-page.md', `${made?.title}\n${made?.published}\n\n${made?.text}\n`)
})

test('resolves links from the base URL of the page, and skips hidden parts and empty links', async () => {
  const html = `<head><title> A  title </title><base href="/docs/"></head><body>
    <p>Read <a href="x.html">this</a> and <a href="data:text/html,x">that</a>.</p>
    <p hidden>secret</p><img src="a.png" alt="plan"><img src="b.png">
    <table><tr><td><h2>Layout</h2></td></tr></table></body>`
  const made = await convertHtml(html, 'https://a.test/deep/page', signal)
  expect(made).toEqual({
    title: 'A title',
    published: '',
    text: 'Read [this](https://a.test/docs/x.html) and that.\n\n![plan](https://a.test/docs/a.png)\n\n## Layout',
  })
})
