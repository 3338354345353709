// The kind of value that a part of a question asks for, and the values of a text.
import { expect, test } from 'vitest'
import { findValues, readAskedKind } from '../../../../internal/retrieval/quotation/asked-kind.ts'

test.each([
  ['count', ['How many servers can be configured?', 'Wie viele Server laufen?', 'the number of retries']],
  ['duration', ['How long is a session kept?', 'how often does it sync', 'Wie lange gilt ein Token?']],
  [
    'number',
    [
      'On which port does it listen?',
      'Which exit code does a crash give?',
      'How large is the cache?',
      'How hot is the kiln?',
    ],
  ],
  ['value', ['What is the default of the cache', 'Which maximum applies?', "What's the retry limit?"]],
  ['error', ['Which error does a wrong key give?', 'What exception is raised', 'Which HTTP status is sent?']],
  ['signal', ['Which signal ends it?', 'which signals rotate the log']],
  ['version', ['Which Python versions are supported?', 'Since which version is it there?']],
  [
    'items',
    [
      'Which states can a job have?',
      'What are the kinds of tasks?',
      'Which HTTP methods are retried?',
      'Which operating systems are known?',
      'Which drinks can be ordered',
    ],
  ],
  ['place', ['Where is the limit defined?', 'Which file has the routes?', 'which function parses it']],
  [
    undefined,
    ['How does the store lock files?', 'What happens on a crash?', 'Why is it slow?', 'Which alias is used?'],
  ],
] as const)('asks for %s', (kind, parts) => {
  for (const part of parts) expect([part, readAskedKind(part)]).toEqual([part, kind])
})

test.each([
  ['count', 'Up to three servers and 16 clients', [6, 24]],
  ['count', '1. Servers\n2) Clients of 2024-05-01, v1.2.3, CVE-2023-49606', []],
  ['count', 'USE_SERVERS=1 enables them', []],
  ['duration', 'kept for 30 days', [9]],
  ['duration', 'RESULT_TTL = 500', [13]],
  ['duration', 'kept forever', [5]],
  ['duration', 'on run 7 it starts', []],
  ['number', 'PORT 8888', [5]],
  ['value', 'set to `fast` or FAST_MODE', [7, 17]],
  ['value', 'set to something quick', []],
  ['error', 'raises ValueError or ENOENT or 404', [7, 21, 31]],
  ['signal', 'on SIGHUP or USR1', [3, 13]],
  ['version', 'needs 3.9', [6]],
  ['items', 'queued, started, done', [0]],
  ['items', 'when queued, it waits', []],
  ['items', '- queued\n- started', [0]],
  ['items', 'only queued', []],
] as const)('values of %s in %j', (kind, text, expected) => {
  expect(findValues(text, kind)).toEqual(expected)
})
