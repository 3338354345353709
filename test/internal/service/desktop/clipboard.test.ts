// The clipboard of a desktop, asked through programs of the names that are installed there.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRunner } from '../../../../internal/process/run-command.ts'
import { readClipboardPicture } from '../../../../internal/service/desktop/clipboard.ts'
import { scratchWith } from '../../../support/scratch.ts'

/** One pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

function openDesktop(
  programs: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>>,
  workspace = '/nowhere',
) {
  const dir = scratchWith({})
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(dir, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(dir, name), 0o755)
  }
  const env = { PATH: `${dir}:${process.env.PATH}`, HOME: dir, ...more }
  const runner = createRunner({ dataDir: join(dir, 'data'), env, keep: [] })
  onTestFinished(() => runner.close())
  return (platform: NodeJS.Platform) => readClipboardPicture(runner.run, env, workspace, platform)
}

const picture = { mime: 'image/png', base64: pixel, size: '1x1' }

test('a picture is read as the desktop tells it', async () => {
  const wayland = openDesktop({ 'wl-paste': `echo ${pixel} | base64 -d` }, { WAYLAND_DISPLAY: 'wayland-0' })
  expect(await wayland('linux')).toEqual(picture)
  const windows = openDesktop({ 'powershell.exe': `echo ${pixel}` }, { WSL_DISTRO_NAME: 'Debian' })
  expect(await windows('linux')).toEqual(picture)
  const hex = Buffer.from(pixel, 'base64').toString('hex').toUpperCase()
  const mac = openDesktop({ pngpaste: 'exit 1', osascript: `echo '«data PNGf${hex}»'` }, {})
  expect(await mac('darwin')).toEqual(picture)
})

test('a program that the workspace brings is not asked', async () => {
  const workspace = scratchWith({})
  writeFileSync(join(workspace, 'xclip'), `#!/bin/sh\necho ${pixel} | base64 -d\n`, { mode: 0o755 })
  const desktop = { DISPLAY: ':9', PATH: `${workspace}:${process.env.PATH}` }
  await expect(openDesktop({}, desktop, workspace)('linux')).rejects.toThrow('no program here reads')
  expect(await openDesktop({}, desktop)('linux')).toEqual(picture)
})

test('a clipboard with a text, and a machine without a desktop, are said in words', async () => {
  const text = openDesktop({ xclip: 'echo hello; exit 1' }, { DISPLAY: ':9' })
  await expect(text('linux')).rejects.toThrow('the clipboard has no image')
  await expect(openDesktop({}, {})('linux')).rejects.toThrow('no program here reads the clipboard')
  const large = openDesktop({ xclip: 'head -c 6000000 /dev/zero' }, { DISPLAY: ':9' })
  await expect(large('linux')).rejects.toThrow(/6000000 bytes/)
})
