// The docked box about a call: its contents, page by page, at three widths.

import { describe, expect, test } from 'vitest'
import type { PendingPermission } from '../../../../internal/session/snapshot.ts'
import { openApprovalDialog, pressApprovalKey } from '../../../../internal/tui/dialog/approval-dialog.ts'
import { showDialog } from '../../../../internal/tui/dialog/dialog-focus.ts'
import { drawApprovalBox, layOutApproval } from '../../../../internal/tui/view/approval-box.ts'
import { golden } from '../../../support/golden.ts'
import { cartDrafts, foldDrafts, lookOf } from '../../../support/session-view.ts'

const [asked] = foldDrafts(cartDrafts).waits as [PendingPermission]
const open = (width = 80, rows = 40, over: Partial<PendingPermission> = {}, unicode = true) => {
  const look = lookOf(width, 0, unicode)
  const request = { ...asked, ...over }
  return { look, state: showDialog(openApprovalDialog(request, layOutApproval(request, look, rows)), 0) }
}

test.each([40, 80, 120])('a command at %i cells', (width) => {
  const { look, state } = open(width)
  golden(`session/approval-${width}.txt`, `${drawApprovalBox(state, 2, look).join('\n')}\n`)
})

test('shows each part and rule of a compound command with its number, and the effect of a key', () => {
  const { look, state } = open(80, 40, {
    parts: [
      { name: 'npm test -- cart', action: 'allow', why: 'a building command' },
      { name: 'git commit -am "Round half up"', action: 'ask', why: 'no rule allows git commit' },
    ],
    always: ['npm test', 'git commit'].map((command) => ({
      rule: { tool: 'bash', action: 'allow', command },
      covers: `every command that begins with "${command}"`,
    })),
  })
  const pressed = (...keys: string[]) =>
    keys.reduce((now, key) => pressApprovalKey(now, { key, text: key }, 1_000).state, state)
  golden('session/approval-parts.txt', `${drawApprovalBox(state, 1, look).join('\n')}\n`)
  expect(drawApprovalBox(pressed('o', 'o'), 1, look).join('\n')).toContain('o now rule 2 only')
  const denied = drawApprovalBox(pressed('2'), 1, look).join('\n')
  expect(denied).toContain('n deny part 2')
  expect(denied).not.toMatch(/ y once| o keep/)
})

test('contains only ASCII in ASCII mode', () => {
  const { look, state } = open(80, 40, {}, false)
  expect(drawApprovalBox(state, 1, look).join('\n')).not.toMatch(/[^\x20-\x7e\n]/)
})

describe('a command of 60 lines on a screen of 24 rows', () => {
  const command = Array.from({ length: 60 }, (_, i) => `echo ${i + 1}`).join('\n')

  test('takes a part of the screen, and offers the allowing keys after its end was shown', () => {
    const { look, state } = open(80, 24, { args: { command } })
    const before = drawApprovalBox(state, 1, look)
    expect(before.length).toBeLessThanOrEqual(22)
    expect(before.join('\n')).toContain('Space: next page (read all to allow)')
    expect(before.join('\n')).not.toContain('y once')
    let now = state
    for (let i = 0; i < 20; i++) {
      now = pressApprovalKey(now, { key: 'space', text: ' ' }, 1_000).state
    }
    expect(drawApprovalBox(now, 1, look).join('\n')).toContain('y once   s this session   a this workspace')
  })

  test('is shown in full: every line appears on one of the pages', () => {
    const { look, state } = open(80, 24, { args: { command } })
    const seen: string[] = []
    let now = state
    for (let i = 0; i < 80; i++) {
      seen.push(...drawApprovalBox(now, 1, look))
      now = pressApprovalKey(now, { key: 'down', text: '' }, 1_000).state
    }
    for (let i = 1; i <= 60; i++) expect(seen.some((line) => line.includes(`echo ${i} `))).toBe(true)
  })
})

test('escapes invisible characters, also in the title', () => {
  const { look, state } = open(80, 40, {
    tool: 'x\u001b[2J',
    args: { command: 'rm \u202e-rf\u200b /' },
    cwd: '/a\nb',
  })
  const text = drawApprovalBox(state, 1, look).join('\n')
  expect(text).toContain('rm \\u202e-rf\\u200b /')
  expect(text).toContain('x\\x1b[2J in /a\\x0ab')
  expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/)
})

test('shows the text of a denial in a separate field', () => {
  const { look, state } = open()
  const writing = pressApprovalKey(state, { key: 'd', text: 'd' }, 1_000).state
  const written = pressApprovalKey(writing, { key: '', text: 'use npm ci' }, 1_000).state
  expect(drawApprovalBox(written, 1, look).join('\n')).toContain('> use npm ci_')
})

describe('on a screen of 24 rows', () => {
  const change = (lines: number) => ({
    tool: 'edit_file',
    args: { path: 'a.ts', old_str: 'a', new_str: 'b', replace_all: false, match: 'exact', dry_run: false },
    defaults: ['replace_all', 'match', 'dry_run'],
    reasons: [
      'writes a file; mode ask asks for every write',
      'edit_file writes a file; mode ask asks for every write',
    ],
    parts: undefined,
    edits: true,
    preview: {
      shows: ['path', 'old_str', 'new_str'],
      files: [
        {
          ...{ path: 'a.ts', what: 'changed', added: lines, removed: 0 },
          hunks: `@@ -1,1 +1,${lines} @@\n${Array.from({ length: lines }, (_, i) => `+line ${i}`).join('\n')}\n`,
        },
      ],
    },
  })

  test.each([1, 4, 8])('an edit of %i lines is approved with one key', (lines) => {
    const { look, state } = open(80, 24, change(lines))
    const text = drawApprovalBox(state, 1, look).join('\n')
    expect(text).toMatch(/ y once {3}s this session/)
    expect(text).toContain('e all edits in this session')
    expect(text.match(/writes a file/g)).toHaveLength(1)
    expect(text).not.toMatch(/replace_all|dry_run|match:/)
  })

  test('arguments that differ from their defaults are shown', () => {
    const { look, state } = open(80, 24, { ...change(1), defaults: ['match', 'dry_run'] })
    expect(drawApprovalBox(state, 1, look).join('\n')).toContain('replace_all: false')
  })

  test.each([24, 30, 12, 8])('a box on %i rows leaves two of them free', (rows) => {
    for (const width of [40, 80, 120])
      for (const lines of [1, 8, 200]) {
        const { look, state } = open(width, rows, change(lines))
        const height = drawApprovalBox(state, 1, look).length
        expect(height).toBeLessThanOrEqual(Math.max(rows - 2, 12))
      }
  })
})
