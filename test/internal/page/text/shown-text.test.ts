// Untrusted text on the page.
import { expect, it } from 'vitest'
import { revealText, splitLinks } from '../../../../internal/page/text/shown-text.ts'

it('escapes invisible characters, and keeps lines', () => {
  expect(revealText('a\n\tb\x1b[31m\u202ec\r')).toBe('a\n\tb\\x1b[31m\\u202ec\\x0d')
})

it('links only web URLs, without the characters after them', () => {
  expect(splitLinks('see https://example.org/a?b=c. And (http://x.test/).')).toEqual([
    { kind: 'text', text: 'see ' },
    { kind: 'link', text: 'https://example.org/a?b=c', href: 'https://example.org/a?b=c' },
    { kind: 'text', text: '. And (' },
    { kind: 'link', text: 'http://x.test/', href: 'http://x.test/' },
    { kind: 'text', text: ').' },
  ])
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://',
    'http://[',
  ]) {
    expect(splitLinks(text)).toEqual([{ kind: 'text', text }])
  }
})
