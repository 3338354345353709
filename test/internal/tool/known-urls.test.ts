// URLs that a session knows: found in what the user typed, compared as they are sent.
import { expect, test } from 'vitest'
import { createKnownUrls } from '../../../internal/tool/known-urls.ts'

const url = 'https://a.test/x(1)?q=1'
const around = [
  '%',
  '<%>',
  '(%)',
  '[text](%)',
  '"%"',
  '`%`',
  'see %.',
  'see %, then',
  '%!',
  '**%**',
  '%#part',
]

test.each(around)('a URL is found in %j', (form) => {
  const known = createKnownUrls()
  known.addText(form.replace('%', url))
  expect(known.hasUrl(new URL(`${url}#other`))).toBe(true)
  for (const other of [`${url}0`, 'https://a.test/', 'http://a.test/x(1)?q=1', 'https://b.test/x(1)?q=1'])
    expect(known.hasUrl(new URL(other)), other).toBe(false)
})

test('a host counts without case and closing dot, and no host counts for another', () => {
  const known = createKnownUrls()
  known.approveHost('A.Test.')
  expect(known.hasHost('a.test')).toBe(true)
  for (const other of ['x.a.test', 'test', 'a.test.example']) expect(known.hasHost(other)).toBe(false)
  known.add('not a URL')
})
