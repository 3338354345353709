// Language servers are offered to agents only where one fits the files of the workspace.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openLanguageServers } from '../../../../internal/runtime/extensions/language-servers.ts'
import { readWorkspaceContext } from '../../../../internal/runtime/workspace/workspace.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

/** Returns what the language servers of a workspace say, if only the programs in `bin` are installed. */
async function fitsIn(workspace: string, bin: string): Promise<true | string | undefined> {
  const context = await readWorkspaceContext(workspace, { PATH: bin, HOME: bin })
  const startNothing = () => Promise.reject(new Error('no server starts before a request'))
  return openLanguageServers(context, [], startNothing)?.fits()
}

const rows: [server: string, files: string[], fits: boolean][] = [
  ['clangd', ['src/a.c'], true],
  ['clangd', ['src/deep/down/a.HPP'], true],
  ['clangd', ['a.py', 'README.md'], false],
  ['clangd', [], false],
  ['clangd', ['node_modules/x/a.c', '.cache/a.c'], false],
  ['gopls', ['go.mod'], true],
  ['gopls', ['a.mod'], false],
  ['pyright-langserver', ['a.pyi'], true],
  ['pyright-langserver', ['a.rs'], false],
  ['typescript-language-server', ['a.tsx'], true],
  ['rust-analyzer', ['a.rs'], false],
  ['', ['a.c', 'a.py', 'a.ts'], false],
]

it.each(rows)('%s with %j: %j', async (server, files, fits) => {
  const workspace = scratch()
  for (const file of files) {
    mkdirSync(dirname(join(workspace, file)), { recursive: true })
    writeFileSync(join(workspace, file), '')
  }
  const bin = scratchWith(server === '' ? {} : { [server]: '#!/bin/sh\n' })
  if (server !== '') chmodSync(join(bin, server), 0o755)
  const found = await fitsIn(workspace, bin)
  if (fits) expect(found).toBe(true)
  else expect(found).toMatch(/no language server fits the files/)
})

it('assumes that a server fits in a workspace of very many files', async () => {
  const workspace = scratch()
  for (let i = 0; i < 3_001; i++) writeFileSync(join(workspace, `${i}.md`), '')
  const bin = scratchWith({ clangd: '#!/bin/sh\n' })
  chmodSync(join(bin, 'clangd'), 0o755)
  expect(await fitsIn(workspace, bin)).toBe(true)
})
