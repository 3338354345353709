// The review of a call whose files change: calls that would fail by now are asked to the user.
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { EventDraft } from '../../../../internal/event/event.ts'
import { createCallNumbering } from '../../../../internal/tool/call-ids.ts'
import { createCatalog } from '../../../../internal/tool/catalog.ts'
import { toToolDescription } from '../../../../internal/tool/describe.ts'
import { invoke } from '../../../../internal/tool/invoke.ts'
import type { Tool } from '../../../../internal/tool/tool.ts'
import { applyPatch } from '../../../../internal/tools/files/apply_patch.ts'
import { createFile } from '../../../../internal/tools/files/create_file.ts'
import { editFile } from '../../../../internal/tools/files/edit_file.ts'
import { fsMove } from '../../../../internal/tools/files/fs_move.ts'
import { ctxIn } from '../../../support/ctx.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

/** Calls `tool` in mode ask with a reviewer that allows everything and meanwhile runs `change`. */
async function reviewChanged(tool: Tool, args: object, change: (dir: string) => void) {
  const dir = scratchWith({ 'a.txt': 'one\ntwo\n', 'b/c.txt': 'three\n' })
  const drafts: EventDraft[] = []
  const asked: string[] = []
  const ctx = ctxIn(dir, scratch(), {
    log: { append: async (draft) => void drafts.push(draft), keep: async () => '' },
    gate: {
      nextCall: createCallNumbering('call_'),
      ask: async ({ call }) => {
        asked.push(call)
        return { allow: false, why: 'the user denied it' }
      },
      reviewer: {
        model: 'small',
        also: [`tool:${tool.name}`],
        async review() {
          change(dir)
          return { verdict: 'allow', reason: 'it is harmless' }
        },
      },
    },
  })
  const catalog = createCatalog([
    { ...toToolDescription(tool, 'native'), load: async () => tool, hidden: undefined },
  ])
  const result = await invoke(catalog, ctx, { name: tool.name, args })
  const verdicts = drafts.flatMap((draft) =>
    draft.type === 'approval.reviewed' ? [[draft.payload.verdict, draft.payload.reason]] : [],
  )
  return { dir, result, asked, verdicts }
}

const edit = { path: 'a.txt', edits: [{ old: 'two', new: 'three' }] }
const patch = ['*** Begin Patch', '*** Update File: a.txt', '@@', '-two', '+three', '*** End Patch'].join(
  '\n',
)
const overwrite = (dir: string) => writeFileSync(join(dir, 'a.txt'), 'other\n')
const removeFile = (dir: string) => rmSync(join(dir, 'a.txt'))
/** Replaces a path by a link to itself, so that it cannot be resolved any more. */
const linkInCircle = (dir: string, path: string) => {
  rmSync(join(dir, path), { recursive: true })
  symlinkSync(path, join(dir, path))
}

const changes: readonly [string, Tool, object, (dir: string) => void][] = [
  ['edit_file, of a file that is overwritten', editFile as Tool, edit, overwrite],
  ['edit_file, of a file that is removed', editFile as Tool, edit, removeFile],
  [
    'edit_file, of a path that becomes a circle of links',
    editFile as Tool,
    edit,
    (dir) => linkInCircle(dir, 'a.txt'),
  ],
  ['apply_patch, of a file that is overwritten', applyPatch as Tool, { patch }, overwrite],
  [
    'create_file, of a file that is created',
    createFile as Tool,
    { path: 'd.txt', content: 'new\n' },
    (dir) => writeFileSync(join(dir, 'd.txt'), 'other\n'),
  ],
  [
    'fs_move, of a folder that becomes a circle of links',
    fsMove as Tool,
    { source: 'b/c.txt', destination: 'c.txt' },
    (dir) => linkInCircle(dir, 'b'),
  ],
]

it.each(changes)('has no effect on a call that fails by now: %s', async (_, tool, args, change) => {
  const { result, asked, verdicts } = await reviewChanged(tool, args, change)
  expect(verdicts).toEqual([['void', 'the call changed during the review']])
  expect(asked).toHaveLength(1)
  expect(result.failed?.code).toBe('denied')
})

it('allows a call whose files do not change', async () => {
  const { dir, asked, verdicts } = await reviewChanged(editFile as Tool, edit, () => undefined)
  expect(verdicts).toEqual([['allow', 'it is harmless']])
  expect(asked).toEqual([])
  expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('one\nthree\n')
})

it('does not review a call without a preview, but asks the user', async () => {
  const tool: Tool = { ...(editFile as Tool), preview: () => Promise.reject(new Error('it is gone')) }
  const { asked, verdicts } = await reviewChanged(tool, edit, () => undefined)
  expect(verdicts).toEqual([])
  expect(asked).toHaveLength(1)
})
