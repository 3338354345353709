// The programs of known language servers, and the quick look whether any could be of use. Loads nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configDir } from '../../base/dirs.ts'
import { findServerProgram, type LspSearchScope, searchPath } from './program-search.ts'

/** By the name of the server. */
export const serverCommands = {
  typescript: 'typescript-language-server',
  pyright: 'pyright-langserver',
  gopls: 'gopls',
  'rust-analyzer': 'rust-analyzer',
  bash: 'bash-language-server',
  json: 'vscode-json-language-server',
  clangd: 'clangd',
} as const

/** Where servers are configured, in the order in which they count: the user, then a trusted workspace. */
export function serverFiles({ workspace, trusted, env }: LspSearchScope): string[] {
  const own = [join(workspace, '.lsp.json'), join(workspace, '.anode', 'lsp.json')]
  return [join(configDir(env), 'lsp.json'), ...(trusted ? own : [])]
}

/** True when a server is configured or found, else why there is none. */
export function anyServer(place: LspSearchScope): true | string {
  if (serverFiles(place).some((path) => existsSync(path))) return true
  const dirs = searchPath(place)
  const here = (Object.keys(serverCommands) as (keyof typeof serverCommands)[]).some(
    (name) =>
      (place.trusted || name !== 'rust-analyzer') &&
      findServerProgram(serverCommands[name], place, dirs) !== undefined,
  )
  if (here) return true
  return 'no language server is configured or found; `anode lsp list` says what is looked for'
}
