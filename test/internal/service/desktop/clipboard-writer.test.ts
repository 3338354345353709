// The clipboard of a desktop, written through programs with the names that are installed there.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listByPs } from '../../../../internal/process/table/ps.ts'
import { writeClipboard } from '../../../../internal/service/desktop/clipboard-writer.ts'
import { scratchWith } from '../../../support/scratch.ts'

/** Creates programs of a desktop. `cat >"$0.got"` stores the input of a program next to it. */
function openDesktop(programs: Readonly<Record<string, string>>, more: Readonly<Record<string, string>>) {
  const [dir, tools] = [scratchWith({}), scratchWith({})]
  // nothing else, because this machine may have a clipboard program
  for (const name of ['cat', 'sleep']) symlinkSync(join('/bin', name), join(tools, name))
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(dir, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const env = { PATH: `${dir}:${tools}`, HOME: dir, ...more }
  const got = (name: string) => readFileSync(join(dir, `${name}.got`))
  return {
    ...{ dir, got },
    write: (text: string, platform: NodeJS.Platform = 'linux', workspace = '/nowhere') =>
      writeClipboard(env, workspace, text, platform),
  }
}

const keep = 'cat >"$0.got"; echo "$@" >"$0.args"'
const text = 'grün 日本\n'

test('each desktop gets the text by its clipboard program', async () => {
  const all = { 'wl-copy': keep, xclip: keep, xsel: keep, pbcopy: keep, 'clip.exe': keep }
  const wayland = openDesktop(all, { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':9' })
  expect(await wayland.write(text)).toEqual({ took: 'wl-copy', failed: [] })
  expect(wayland.got('wl-copy').toString()).toBe(text)
  const x = openDesktop(all, { DISPLAY: ':9' })
  expect(await x.write(text)).toEqual({ took: 'xclip', failed: [] })
  expect(x.got('xclip').toString()).toBe(text)
  const mac = openDesktop(all, {})
  expect(await mac.write(text, 'darwin')).toEqual({ took: 'pbcopy', failed: [] })
  const windows = openDesktop(all, { WSL_DISTRO_NAME: 'Debian' })
  expect(await windows.write(text)).toEqual({ took: 'clip.exe', failed: [] })
  expect(windows.got('clip.exe').toString('utf16le')).toBe(text)
  expect(await openDesktop(all, {}).write(text)).toEqual({ failed: [] })
})

test('reports a failing program, and tries the next one', async () => {
  const { write, got } = openDesktop({ xclip: 'exit 1', xsel: keep }, { DISPLAY: ':9' })
  expect(await write('a'.repeat(1_000_000))).toEqual({ took: 'xsel', failed: ['xclip'] })
  expect(got('xsel').length).toBe(1_000_000)
})

test('ends a program that hangs, with its child processes', async () => {
  const { write, dir } = openDesktop({ xclip: 'echo $$ >"$0.pid"; sleep 600 & sleep 600' }, { DISPLAY: ':9' })
  expect(await write('a')).toEqual({ failed: ['xclip'] })
  const leader = Number(readFileSync(join(dir, 'xclip.pid'), 'utf8'))
  const left = async () => (await listByPs()).filter(({ group, zombie }) => group === leader && !zombie)
  await expect.poll(left).toEqual([])
}, 30_000)

test('keeps the process that serves the clipboard', async () => {
  const serve = 'cat >"$0.got"; (sleep 600) & echo $! >"$0.pid"'
  const { write, dir } = openDesktop({ xclip: serve }, { DISPLAY: ':9' })
  expect(await write('a')).toEqual({ took: 'xclip', failed: [] })
  const server = Number(readFileSync(join(dir, 'xclip.pid'), 'utf8'))
  onTestFinished(() => void process.kill(server, 'SIGKILL'))
  expect(isAlive(server)).toBe(true)
})

test('in a remote session uses only the forwarded display', async () => {
  const programs = { 'wl-copy': keep, pbcopy: keep, xclip: keep }
  const ssh = { SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' }
  expect(await openDesktop(programs, { ...ssh, WAYLAND_DISPLAY: 'wayland-0' }).write('a')).toEqual({
    failed: [],
  })
  expect(await openDesktop(programs, ssh).write('a', 'darwin')).toEqual({ failed: [] })
  const forwarded = openDesktop(programs, { ...ssh, DISPLAY: 'localhost:10.0' })
  expect(await forwarded.write('a')).toEqual({ took: 'xclip', failed: [] })
})

test('does not run a program of the workspace', async () => {
  const { write, dir } = openDesktop({ xclip: keep }, { DISPLAY: ':9' })
  expect(await write('a', 'linux', dir)).toEqual({ failed: [] })
  expect(existsSync(join(dir, 'xclip.got'))).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
