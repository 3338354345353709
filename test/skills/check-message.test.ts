// commit_message/scripts/check-message.mjs: forms of commit messages.
import { expect, test } from 'vitest'
import { runScript, scratch } from '../support/script.ts'

const run = (message: string, ...args: string[]) =>
  runScript('commit_message/scripts/check-message.mjs', args, scratch(), message)

test.each([
  'Refuse expired tokens\n',
  'feat(core)!: let exports run without a header line\n\nNeeded by imports that count lines.\n',
  'ABC-12: Keep the cursor when a filter is cleared\n\nRefs: ABC-12\n# a comment of git\n',
  'Ü'.repeat(72),
  `Link the paper\n\nhttps://example.org/${'x'.repeat(120)}\n\nCo-authored-by: A B <a@example.org>\n`,
])('%j has no problem', (message) => {
  expect(run(message)).toEqual({ code: 0, out: 'ok\n', err: '' })
})

test.each([
  ['', 'line 1: the subject is empty'],
  ['x'.repeat(73), 'line 1: the subject has 73 characters, more than 72'],
  ['Refuse tokens.', 'line 1: the subject ends with a full stop'],
  [' Refuse tokens', 'line 1: blanks around the subject'],
  ['Fix bug', 'line 1: the subject would fit any commit'],
  ['chore: update', 'line 1: the subject would fit any commit'],
  ['fix: fixed the login page', 'line 1: imperative wanted instead of "fixed"'],
  ['Refuse tokens\nthat expired', 'line 2: an empty line must follow the subject'],
  [`Refuse tokens\n\n${'word '.repeat(30)}`, 'line 3: 150 characters; wrap at 72'],
  ['Refuse tokens\n\n<<<<<<< HEAD', 'line 3: conflict marker'],
  ['Refuse tokens\n\nBecause <reason>.', 'line 3: looks like a gap that was never filled'],
  ['Refuse tokens\n\nThis commit refuses them.', 'line 3: says "this commit"'],
])('%j', (message, problem) => {
  const { code, out } = run(message)
  expect(code).toBe(1)
  expect(out).toContain(problem)
  expect(out.trim().split('\n')).toHaveLength(1)
})

test('another limit, a file, wrong use', () => {
  expect(run('x'.repeat(51), '--max-subject', '50').out).toContain('more than 50')
  const dir = scratch({ m: 'Fix bug\n' })
  expect(runScript('commit_message/scripts/check-message.mjs', ['m'], dir).code).toBe(1)
  expect(run('x', '--max-subject', 'many').code).toBe(2)
})
