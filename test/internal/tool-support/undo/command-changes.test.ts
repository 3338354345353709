// Changes of a command on record: bytes from memory and from git, what was not kept, what only looks changed.
import { chmodSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fingerprint } from '../../../../internal/base/fingerprint.ts'
import type { EventDraft } from '../../../../internal/event/event.ts'
import {
  compareFiles,
  createFileMemory,
  listFiles,
  recordFiles,
} from '../../../../internal/sandbox/file-record.ts'
import { recordCommandChanges } from '../../../../internal/tool-support/undo/command-changes.ts'
import { ctxWith } from '../../../support/ctx.ts'
import { git } from '../../../support/repo.ts'
import { run } from '../../../support/run.ts'
import { scratch } from '../../../support/scratch.ts'

test('stores the earlier state of changed files from memory or git, and reports files without one', async () => {
  const dir = scratch()
  const put = (name: string, text: string | Buffer) => writeFileSync(join(dir, name), text)
  const picture = Buffer.from([0, 255, 1, 13, 10])
  put('tracked', picture)
  utimesSync(join(dir, 'tracked'), 1_000_000, 1_000_000)
  git(dir, 'init', '-q')
  git(dir, 'add', '-A')
  for (const name of ['own', 'touched', 'mode']) put(name, `${name}\n`)
  put('large', 'x'.repeat(2 << 20))
  const memory = createFileMemory()
  const record = recordFiles([dir], [], memory)
  expect([...record.tracked]).toEqual([join(dir, 'tracked')])
  for (const name of ['tracked', 'own']) rmSync(join(dir, name))
  put('touched', 'touched\n')
  put('large', 'y')
  put('made', 'made\n')
  chmodSync(join(dir, 'mode'), 0o700)
  const drafts: EventDraft[] = []
  const kept = new Map<string, Buffer>()
  const log = {
    append: async (draft: EventDraft) => void drafts.push(draft),
    keep: async (_: string, content: string | Uint8Array) => {
      const bytes = Buffer.from(content)
      kept.set(fingerprint(bytes), bytes)
      return fingerprint(bytes)
    },
  }
  const ctx = ctxWith({ processes: { run } }, { cwd: dir, call: { id: 'call_1', tool: 'bash' }, log })
  const files = compareFiles(record, listFiles([dir], [], memory), memory)
  expect(await recordCommandChanges(ctx, { files, index: record.index, all: true })).toEqual([])
  const found = drafts.map(({ payload }) => {
    const { path, before, after } = payload as {
      path: string
      before: { hash: string } | null
      after: string | null
    }
    return [
      path.slice(dir.length + 1),
      before && (kept.get(before.hash)?.toString('latin1') ?? before.hash),
      after,
    ]
  })
  expect(Object.fromEntries(found.map(([name, before]) => [name, before]))).toEqual({
    ...{ tracked: picture.toString('latin1'), own: 'own\n', mode: 'mode\n' },
    ...{ large: 'unkept', made: null },
  })
  expect(found.find(([name]) => name === 'own')?.[2]).toBeNull()
})
