// A full disk, a read-only disk and directories without permission: all files old or all new, one error line,
// nothing left over.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { applyPatch } from '../../internal/tools/files/apply_patch.ts'
import { createFile } from '../../internal/tools/files/create_file.ts'
import { editFile } from '../../internal/tools/files/edit_file.ts'
import { call, ctxIn } from '../support/ctx.ts'
import { mountDisk } from '../support/disk.ts'
import { bundle, node } from '../support/program.ts'
import { harvest, plant, scratch } from '../support/scratch.ts'

const body = 'a line of thirty-two characters\n'.repeat(1000)

const patch = [1, 2, 3]
  .map((i) => `--- a/f${i}\n+++ b/f${i}\n@@ -1 +1 @@\n-old ${i}\n+new ${i}\n`)
  .concat(`--- /dev/null\n+++ b/made/f4\n@@ -0,0 +1,1000 @@\n${body.replace(/^/gm, '+').slice(0, -1)}`)
  .join('')

const before = Object.fromEntries([1, 2, 3].map((i) => [`f${i}`, `old ${i}\n${body}`]))
const after: Record<string, string> = {
  ...Object.fromEntries([1, 2, 3].map((i) => [`f${i}`, `new ${i}\n${body}`])),
  'made/f4': body,
}

/** Leaves `pages` of 4 KiB free. */
function fill(dir: string, pages: number): void {
  rmSync(join(dir, 'ballast'), { force: true })
  const { bavail, bsize } = statfsSync(dir)
  writeFileSync(join(dir, 'ballast'), Buffer.alloc(Math.max(0, (bavail - pages) * Number(bsize))))
}

it('survives a full disk at every size of what is left', { timeout: 300_000 }, async (test) => {
  const dir = mountDisk(test, '0755')
  if (!dir) return
  const [workspace, data] = [join(dir, 'workspace'), scratch()]
  const tally = { tried: 0, old: 0, new: 0 }
  for (let pages = 0; pages <= 40; pages++) {
    rmSync(workspace, { recursive: true, force: true })
    rmSync(join(dir, 'ballast'), { force: true })
    plant(workspace, before)
    fill(dir, pages)
    const ctx = ctxIn(workspace, data)
    const many = await call(applyPatch, { patch }, ctx)
    tally.tried++
    if (many.failed) {
      expect(many.failed).toMatchObject({
        code: 'io',
        message: expect.stringMatching(
          /^no space left on the disk that holds (f\d|made\/f4); nothing was written$/,
        ),
      })
      expect(harvest(workspace), `${pages} pages`).toEqual(before)
      expect(existsSync(join(workspace, 'made'))).toBe(false)
      tally.old++
      const one = await call(editFile, { path: 'f1', old_str: 'old 1', new_str: 'new 1' }, ctx)
      tally.tried++
      expect(harvest(workspace)).toEqual(one.failed ? before : { ...before, f1: after.f1 })
      tally[one.failed ? 'old' : 'new']++
    } else {
      expect(harvest(workspace), `${pages} pages`).toEqual(after)
      tally.new++
    }
    expect(readdirSync(join(data, 'journal'))).toEqual([])
  }
  console.log(
    `faults: full disk: ${tally.old + tally.new}/${tally.tried} survived (${tally.old} old, ${tally.new} new)`,
  )
  expect(Math.min(tally.old, tally.new)).toBeGreaterThan(0)
})

it('survives a full disk with the journal on it', { timeout: 300_000 }, async (test) => {
  const data = mountDisk(test, '0755')
  if (!data) return
  let survived = 0
  for (let pages = 0; pages < 3; pages++) {
    const workspace = join(scratch(), 'workspace')
    plant(workspace, before)
    fill(data, pages)
    const ctx = ctxIn(workspace, data)
    const many = await call(applyPatch, { patch }, ctx)
    expect(harvest(workspace)).toEqual(many.failed ? before : after)
    const one = await call(createFile, { path: 'n', content: 'x' }, ctx)
    expect(one.failed).toBeUndefined()
    survived++
  }
  console.log(`faults: full disk under the journal: ${survived}/3 survived`)
})

it('survives a disk that is mounted read-only', async (test) => {
  const dir = mountDisk(test, '0755')
  if (!dir) return
  plant(dir, before)
  execFileSync('mount', ['-o', 'remount,ro', dir])
  const ctx = ctxIn(dir, scratch())
  const results = [
    await call(editFile, { path: 'f1', old_str: 'old 1', new_str: 'x' }, ctx),
    await call(applyPatch, { patch }, ctx),
    await call(createFile, { path: 'new/f', content: 'x' }, ctx),
  ]
  for (const { failed } of results) {
    expect(failed).toMatchObject({ code: 'io', message: expect.stringContaining('read-only') })
  }
  expect(harvest(dir)).toEqual(before)
  console.log('faults: read-only disk: 3/3 survived')
})

it('survives directories and files without permission', { timeout: 60_000 }, async () => {
  const root = scratch()
  chmodSync(root, 0o755)
  const program = await bundle(join(import.meta.dirname, 'fixtures', 'file-tool.ts'), root)
  const uid = process.getuid?.() === 0 ? 65_534 : undefined
  const [workspace, data] = [join(root, 'workspace'), join(root, 'data')]
  plant(workspace, { 'closed/f': 'old\n', 'open/g': 'old\n', 'open/ro': 'old\n' })
  mkdirSync(data)
  if (uid !== undefined)
    for (const dir of [data, join(workspace, 'open'), join(workspace, 'open/g'), join(workspace, 'open/ro')])
      chownSync(dir, uid, uid)
  chmodSync(join(workspace, 'open/ro'), 0o444)
  chmodSync(join(workspace, 'closed'), 0o555)
  const run = async (job: string, args: unknown) =>
    (await node([program, job, workspace, data, JSON.stringify(args)], uid === undefined ? {} : { uid }))
      .stdout
  const both =
    '--- a/open/g\n+++ b/open/g\n@@ -1 +1 @@\n-old\n+new\n--- a/closed/f\n+++ b/closed/f\n@@ -1 +1 @@\n-old\n+new\n'
  expect(await run('edit_file', { path: 'closed/f', old_str: 'old', new_str: 'new' })).toBe('io')
  expect(await run('create_file', { path: 'closed/new', content: 'x' })).toBe('io')
  expect(await run('apply_patch', { patch: both })).toBe('io')
  expect(await run('edit_file', { path: 'open/ro', old_str: 'old', new_str: 'new' })).toBe('io')
  expect(harvest(workspace)).toEqual({ 'closed/f': 'old\n', 'open/g': 'old\n', 'open/ro': 'old\n' })
  expect(await run('edit_file', { path: 'open/g', old_str: 'old', new_str: 'new' })).toBe('ok')
  expect(readdirSync(join(data, 'journal'))).toEqual([])
  chmodSync(join(workspace, 'closed'), 0o755)
  console.log('faults: no permission: 5/5 survived')
})
