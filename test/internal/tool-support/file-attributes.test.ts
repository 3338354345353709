// Attributes of a file next to its content, after a writing tool has replaced the file.
import { spawnSync } from 'node:child_process'
import { chownSync, linkSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunCommand } from '../../../internal/process/process-command.ts'
import { applyPatch } from '../../../internal/tools/files/apply_patch.ts'
import { createFile } from '../../../internal/tools/files/create_file.ts'
import { editFile } from '../../../internal/tools/files/edit_file.ts'
import { call, ctxIn } from '../../support/ctx.ts'
import { run } from '../../support/run.ts'
import { scratch, scratchWith } from '../../support/scratch.ts'

const python = (code: string, ...args: string[]) =>
  spawnSync('python3', ['-c', `import os, sys\n${code}`, ...args], { encoding: 'utf8' })

const setAttribute = (path: string, name: string, hex: string) =>
  python('os.setxattr(sys.argv[1], sys.argv[2], bytes.fromhex(sys.argv[3]))', path, name, hex).status === 0
const attribute = (path: string, name: string) =>
  python('print(os.getxattr(sys.argv[1], sys.argv[2]).hex())', path, name).stdout.trim()

/** An access list that lets user 7 read: entries of tag, rights and id after the version. */
const list =
  '02000000' +
  '01000600ffffffff' +
  '0200040007000000' +
  '04000400ffffffff' +
  '10000400ffffffff' +
  '20000400ffffffff'

const ground = mkdtempSync(join(tmpdir(), 'anode-test-'))
const probe = join(ground, 'f')
writeFileSync(probe, '')
const hasAttributes = process.platform === 'linux' && setAttribute(probe, 'user.note', '61')
const hasLists = hasAttributes && setAttribute(probe, 'system.posix_acl_access', list)
rmSync(ground, { recursive: true })

const context = (dir: string, with_: RunCommand = run) =>
  ctxIn(dir, scratch(), { can: { processes: { run: with_ } } })
const patch = '*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch\n'
const writers = [
  [
    'edit_file',
    (dir: string, how?: RunCommand) =>
      call(editFile, { path: 'f', old_str: 'a', new_str: 'b' }, context(dir, how)),
  ],
  ['apply_patch', (dir: string, how?: RunCommand) => call(applyPatch, { patch }, context(dir, how))],
  [
    'create_file',
    (dir: string, how?: RunCommand) =>
      call(createFile, { path: 'f', content: 'b\n', overwrite: true }, context(dir, how)),
  ],
] as const

test.runIf(hasAttributes).each(writers)('%s keeps extended attributes and access lists', async (_, write) => {
  const dir = scratchWith({ f: 'a\n' })
  const path = join(dir, 'f')
  setAttribute(path, 'user.note', '6b657074')
  if (hasLists) setAttribute(path, 'system.posix_acl_access', list)
  const mode = statSync(path).mode
  const result = await write(dir)
  expect(result.failed).toBeUndefined()
  expect(readFileSync(path, 'utf8')).toBe('b\n')
  expect(attribute(path, 'user.note')).toBe('6b657074')
  if (hasLists) expect(attribute(path, 'system.posix_acl_access')).toBe(list)
  expect(statSync(path).mode).toBe(mode)
  expect(result.text).not.toMatch(/attributes|hard link|belong/)
})

test.each(writers)('%s reports the hard links that keep the old content', async (_, write) => {
  const dir = scratchWith({ f: 'a\n' })
  linkSync(join(dir, 'f'), join(dir, 'twin'))
  expect((await write(dir)).text).toContain('f was a hard link: its other name keeps the old content')
  linkSync(join(dir, 'f'), join(dir, 'third'))
  linkSync(join(dir, 'f'), join(dir, 'fourth'))
  writeFileSync(join(dir, 'f'), 'a\n')
  expect((await write(dir)).text).toContain('its 2 other names keep the old content')
})

test.runIf(process.getuid?.() === 0).each(writers)(
  '%s keeps the owner if it is allowed to',
  async (_, write) => {
    const dir = scratchWith({ f: 'a\n' })
    chownSync(join(dir, 'f'), 7, 8)
    const { text } = await write(dir)
    const { uid, gid } = statSync(join(dir, 'f'))
    expect([uid, gid]).toEqual([7, 8])
    expect(text).not.toContain('belong')
  },
)

test.runIf(hasAttributes).each(writers)(
  '%s reports attributes that could not be copied',
  async (_, write) => {
    const broken =
      (text: string): RunCommand =>
      (command) =>
        run({ ...command, file: '/bin/sh', args: ['-c', 'printf %s "$1" >&2; exit 1', 'cp', text] })
    const dir = scratchWith({ f: 'a\n' })
    const lost = await write(dir, broken("cp: setting attribute 'user.note': No space left on device"))
    expect(readFileSync(join(dir, 'f'), 'utf8')).toBe('b\n')
    expect(lost.text).toContain('not all extended attributes and access lists of f were kept (cp: setting')
    writeFileSync(join(dir, 'f'), 'a\n')
    const old = await write(dir, broken('cp: unrecognized option: attributes-only'))
    expect(old.text, 'a cp that cannot do this says nothing of the file').not.toContain('attributes')
  },
)
