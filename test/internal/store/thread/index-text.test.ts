// Indexed text of events of each kind.
import { expect, test } from 'vitest'
import { fingerprint } from '../../../../internal/base/fingerprint.ts'
import type { EventDraft } from '../../../../internal/event/event.ts'
import {
  collectIndexText,
  hashShortText,
  scopeTokens,
  spaceCharacters,
  threadToken,
  workspaceToken,
} from '../../../../internal/store/thread/index-text.ts'

test.each<[string, EventDraft, string]>([
  ['a message', { type: 'message', payload: { role: 'user', text: 'hi' } }, 'hi'],
  ['the system prompt', { type: 'message', payload: { role: 'system', text: 'hi' } }, ''],
  [
    'a call',
    {
      type: 'tool.call',
      payload: { call: 'c', tool: 'grep', args: { pattern: 'x', list: ['y', { z: 3 }], no: true } },
    },
    'grep x\ny\n3',
  ],
  ['a result', { type: 'tool.result', payload: { call: 'c', tool: 'grep', ok: true, text: 'out' } }, 'out'],
  [
    'an echo',
    { type: 'tool.result', payload: { call: 'c', tool: 'read_thread', ok: true, text: 'out' } },
    '',
  ],
  ['usage', { type: 'usage', payload: { input: 1, output: 2 } }, ''],
])('returns the indexed text of %s', (_, event, text) => {
  expect(collectIndexText(event)).toBe(text)
})

test('puts spaces between the characters of scripts without spaces', () => {
  expect(spaceCharacters('ab 東京c').replace(/ +/g, ' ')).toBe('ab 東 京 c')
})

test('events are indexed with the tokens that queries use for workspace and thread', () => {
  expect(scopeTokens('/w', 7).split(' ')).toEqual([workspaceToken('/w'), threadToken(7)])
  expect(workspaceToken('/w')).not.toBe(workspaceToken('/v'))
})

test('hashShortText returns the SHA-256 of texts of any length', () => {
  expect(hashShortText('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  for (let length = 0; length < 200; length++) {
    const text = Array.from({ length }, (_, i) => String.fromCodePoint(33 + ((i * 7919) % 1_000))).join('')
    expect(hashShortText(text)).toBe(fingerprint(text))
  }
})
