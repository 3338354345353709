// Commands of known language servers, and a quick check whether any is usable. Imports no package.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configDir } from '../../base/dirs.ts'
import { findServerProgram, type LspSearchScope, searchPath } from './program-search.ts'

/** Command by the name of the server. */
export const serverCommands = {
  typescript: 'typescript-language-server',
  pyright: 'pyright-langserver',
  gopls: 'gopls',
  'rust-analyzer': 'rust-analyzer',
  bash: 'bash-language-server',
  json: 'vscode-json-language-server',
  clangd: 'clangd',
} as const

/**
 * Returns the configuration files, lowest precedence first: the user's, then those of a trusted workspace.
 */
export function serverFiles({ workspace, trusted, env }: LspSearchScope): string[] {
  const own = [join(workspace, '.lsp.json'), join(workspace, '.anode', 'lsp.json')]
  return [join(configDir(env), 'lsp.json'), ...(trusted ? own : [])]
}

/**
 * Returns true if a configuration file exists or a known server is installed that may run here, else the
 * reason why no server is usable.
 */
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
