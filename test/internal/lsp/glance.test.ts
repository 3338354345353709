// A look at diagnostics that does not wait, at a server that has to be started for it: every way a server may behave.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LspServerEntry } from '../../../internal/lsp/config/server-entry.ts'
import { never, serve } from '../../support/language-servers.ts'
import { scratch } from '../../support/scratch.ts'
import { root } from '../../support/sources.ts'

function glanceAt(mode: string, signal = never) {
  const dir = scratch()
  const path = join(dir, 'a.x')
  writeFileSync(path, 'one\nbad\n')
  const entry: LspServerEntry = {
    ...{ name: 'fake', program: process.execPath, origin: 'test', extensions: { '.x': 'x' }, env: {} },
    args: [join(root, 'test/support/fake-server.mjs'), mode, join(dir, 'log')],
  }
  return serve(dir, [entry]).diagnose([path], 0, signal)
}

test('shows diagnostics of a quick server at once', async () => {
  // a loaded machine may be slower than the moment that is given; not every time
  for (let attempt = 0; attempt < 10; attempt++) {
    const [report] = await glanceAt('plain')
    if (report?.state === 'fresh') {
      expect(report.diagnostics).toMatchObject([{ severity: 'error', message: 'found bad' }])
      return
    }
    expect(report).toMatchObject({ state: 'pending', why: expect.stringContaining('just been started') })
  }
  throw new Error('ten quick servers were too slow')
})

test.each(['mute', 'stall'])('reports that a server that is %s has just been started', async (mode) => {
  const [report] = await glanceAt(mode)
  expect(report).toMatchObject({
    state: 'pending',
    diagnostics: [],
    why: 'fake has just been started and has not looked at it yet',
  })
})

test('reports a server that ends at once as failed', async () => {
  const [report] = await glanceAt('crash-at-start')
  expect(['failed', 'pending']).toContain(report?.state)
  expect(report?.why).toMatch(/fake/)
})

test('an abort ends the wait', async () => {
  const stop = new AbortController()
  const looking = glanceAt('mute', stop.signal)
  stop.abort()
  await expect(looking).rejects.toThrow()
})
