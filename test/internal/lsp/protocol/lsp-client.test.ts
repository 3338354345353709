// The conversation with a running server, against a real one.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { FailureError } from '../../../../internal/base/errors.ts'
import { connectServer } from '../../../../internal/lsp/protocol/lsp-client.ts'
import { createRunner } from '../../../../internal/process/run-command.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'
import { root } from '../../../support/sources.ts'

it('connects to a real server, sends a request and shuts it down', async () => {
  const dir = scratchWith({
    'a.ts': 'export const one = 1\nexport const two = one + "x" * 2\n',
    'tsconfig.json': '{}',
  })
  const runner = createRunner({ dataDir: scratch(), env: process.env })
  onTestFinished(() => runner.close())
  const child = await runner.spawn({
    file: process.execPath,
    args: [join(root, 'node_modules/typescript-language-server/lib/cli.mjs'), '--stdio'],
    cwd: dir,
  })
  const signal = new AbortController().signal
  const client = await connectServer({
    name: 'typescript',
    root: dir,
    child,
    initializationOptions: { tsserver: { path: join(root, 'node_modules/typescript5/lib/tsserver.js') } },
    timeoutMs: 20_000,
    signal,
    onDiagnostics: () => undefined,
    onRefresh: () => undefined,
  })
  expect(client.encoding).toBe('utf-16')
  expect(client.capabilities.definitionProvider).toBe(true)
  const uri = pathToFileURL(join(dir, 'a.ts')).href
  await client.notify('textDocument/didOpen', {
    textDocument: {
      uri,
      languageId: 'typescript',
      version: 1,
      text: readFileSync(join(dir, 'a.ts'), 'utf8'),
    },
  })
  const found = await client.request(
    'textDocument/definition',
    { textDocument: { uri }, position: { line: 1, character: 20 } },
    { timeoutMs: 20_000, signal },
  )
  expect(found).toMatchObject([{ targetSelectionRange: { start: { line: 0, character: 13 } } }])
  await client.stop()
  expect(await child.exited).toMatchObject({ exit: 0 })
}, 60_000)

it('reports why the server has ended to callers that still write to it', async () => {
  const dir = scratchWith({ 'a.x': 'one\n' })
  const runner = createRunner({ dataDir: scratch(), env: process.env })
  onTestFinished(() => runner.close())
  const child = await runner.spawn({
    file: process.execPath,
    args: [join(root, 'test/support/fake-server.mjs'), 'plain', join(dir, 'log')],
    cwd: dir,
  })
  const signal = new AbortController().signal
  const client = await connectServer({
    ...{ name: 'fake', root: dir, child, timeoutMs: 20_000, signal },
    ...{ onDiagnostics: () => undefined, onRefresh: () => undefined },
  })
  process.kill(child.pid, 'SIGKILL')
  // The pipe closes a moment later, so the test writes until the system rejects it.
  const failures: unknown[] = []
  for (const until = performance.now() + 30_000; failures.length < 3 && performance.now() < until; )
    await client.notify('fake/none', { filler: 'x'.repeat(1000) }).catch((error) => failures.push(error))
  expect(failures).toHaveLength(3)
  for (const error of failures) {
    expect(error).toBeInstanceOf(FailureError)
    expect((error as FailureError).failure).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^the language server fake has ended: /),
    })
  }
  const request = client.request('textDocument/hover', {}, { timeoutMs: 5_000, signal })
  await expect(request).rejects.toThrow('the language server fake has ended: it was ended by SIGKILL')
}, 60_000)
