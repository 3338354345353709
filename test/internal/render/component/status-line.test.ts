// StatusLine: mark, text, plain words.
import { expect, test } from 'vitest'
import { draw } from '../draw.ts'

test.each([
  ['info', 'ℹ', '[info]', '\x1b[34m'],
  ['success', '✔', '[ok]', '\x1b[32m'],
  ['warning', '⚠', '[warn]', '\x1b[33m'],
  ['error', '✖', '[error]', '\x1b[31m'],
])('draws the status %s', (status, mark, ascii, color) => {
  expect(draw('StatusLine', { text: 'API', status })).toEqual([`${mark} API`])
  expect(draw('StatusLine', { text: 'API', status }, { unicode: false })).toEqual([`${ascii} API`])
  expect(draw('StatusLine', { text: 'API', status }, { color: 1 })[0]).toContain(color)
  expect(draw('StatusLine', { text: 'API', status }, { plain: true })).toEqual([`API: ${status}`])
})

test('the default status is info, an icon replaces the mark, and long texts are indented', () => {
  expect(draw('StatusLine', { text: 'x' })).toEqual(['ℹ x'])
  expect(draw('StatusLine', { text: 'x', icon: '🚀' })).toEqual(['🚀 x'])
  expect(draw('StatusLine', { text: 'a text that takes two lines' }, { width: 20 })).toEqual([
    'ℹ a text that takes',
    '  two lines',
  ])
})
