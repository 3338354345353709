// Languages of the files in a workspace, and commands that install language servers for them.
import { extname, join } from 'node:path'
import { listEntries } from '../../base/files/path-lookup.ts'

/** Directories with copied or generated files. These files need no language server. */
const skipped = new Set(['node_modules', 'vendor', 'third_party', 'dist', 'build', 'target', '__pycache__'])
const maxEntries = 20_000

/** Commands that install language servers, by server. Anode uses these servers without configuration. */
const installCommands: Readonly<Record<string, string>> = {
  bash: 'npm i -g bash-language-server',
  clangd: process.platform === 'darwin' ? 'xcode-select --install' : 'apt-get install clangd',
  gopls: 'go install golang.org/x/tools/gopls@latest',
  json: 'npm i -g vscode-langservers-extracted',
  pyright: 'npm i -g pyright',
  'rust-analyzer': 'rustup component add rust-analyzer',
  typescript: 'npm i -g typescript-language-server typescript',
}

/** Returns the command that installs a server; undefined if no command is known for it. */
export const installCommand = (server: string): string | undefined => installCommands[server]

/**
 * Returns the number of files by extension (`.ts`) and by whole name (`go.mod`). Hidden, copied and generated
 * directories are skipped. At most 20,000 entries are counted, those near the top first.
 */
export function countFileKinds(workspace: string): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const todo = [workspace]
  let entries = 0
  for (let dir = todo.shift(); dir !== undefined && entries < maxEntries; dir = todo.shift()) {
    for (const entry of listEntries(dir)) {
      if (++entries > maxEntries) break
      if (entry.isDirectory() && !entry.name.startsWith('.') && !skipped.has(entry.name))
        todo.push(join(dir, entry.name))
      else if (entry.isFile()) for (const kind of new Set([entry.name, extname(entry.name)])) add(kind)
    }
  }
  return counts
}
