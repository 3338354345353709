// Language servers that Anode uses without configuration: how they start, and which options make them safe in
// an untrusted workspace.
import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { serverCommands } from './program-search.ts'

export interface KnownServer {
  name: string
  command: string
  args: readonly string[]
  extensions: Readonly<Record<string, string>>
  initializationOptions?: Readonly<Record<string, unknown>>
  env?: Readonly<Record<string, string>>
  /**
   * Returns options that keep the server from running files of an untrusted workspace, or why that is
   * impossible. Default: the server never runs files of the workspace. `program` is a path with links
   * resolved, `options` are the user's.
   */
  untrusted?(program: string, options: unknown): Readonly<Record<string, unknown>> | string
}

export const knownServers: readonly KnownServer[] = [
  {
    name: 'typescript',
    command: serverCommands.typescript,
    args: ['--stdio'],
    extensions: {
      '.ts': 'typescript',
      '.mts': 'typescript',
      '.cts': 'typescript',
      '.js': 'javascript',
      '.mjs': 'javascript',
      '.cjs': 'javascript',
      '.tsx': 'typescriptreact',
      '.jsx': 'javascriptreact',
    },
    // the server downloads no packages with types, and does not answer before it has loaded the whole project
    initializationOptions: {
      disableAutomaticTypingAcquisition: true,
      tsserver: { useSyntaxServer: 'never' },
    },
    untrusted: ownTypescript,
  },
  {
    name: 'pyright',
    command: serverCommands.pyright,
    args: ['--stdio'],
    extensions: { '.py': 'python', '.pyi': 'python' },
  },
  {
    name: 'gopls',
    command: serverCommands.gopls,
    args: [],
    extensions: { '.go': 'go', 'go.mod': 'go.mod', 'go.work': 'go.work' },
    // a go.mod may name a toolchain, which go would otherwise fetch and run
    env: { GOTOOLCHAIN: 'local' },
  },
  {
    name: 'rust-analyzer',
    command: serverCommands['rust-analyzer'],
    args: [],
    extensions: { '.rs': 'rust' },
    untrusted: () => 'it runs build scripts and macros of the workspace',
  },
  {
    name: 'bash',
    command: serverCommands.bash,
    args: ['start'],
    extensions: { '.sh': 'shellscript', '.bash': 'shellscript', '.bats': 'shellscript' },
  },
  {
    name: 'json',
    command: serverCommands.json,
    args: ['--stdio'],
    extensions: { '.json': 'json', '.jsonc': 'jsonc' },
    // the server does not fetch schemas from the network that a file names
    initializationOptions: { handledSchemaProtocols: ['file'], provideFormatter: false },
  },
  {
    name: 'clangd',
    command: serverCommands.clangd,
    args: ['--background-index=false', '--log=error'],
    extensions: {
      '.c': 'c',
      '.h': 'c',
      '.cc': 'cpp',
      '.cpp': 'cpp',
      '.cxx': 'cpp',
      '.hh': 'cpp',
      '.hpp': 'cpp',
      '.hxx': 'cpp',
    },
  },
]

/**
 * Returns options with the path of the installed TypeScript; without them the server would load the
 * TypeScript of the workspace. Returns no options if the path `tsserver.path` in the options of the user is
 * absolute. Returns the reason if no directory above the server has a TypeScript.
 */
function ownTypescript(program: string, options: unknown): Readonly<Record<string, unknown>> | string {
  const userPath = (options as { tsserver?: { path?: unknown } } | undefined)?.tsserver?.path
  if (typeof userPath === 'string' && isAbsolute(userPath)) return {}
  for (let dir = dirname(program); dir !== '/'; dir = dirname(dir)) {
    for (const folder of ['node_modules', '..']) {
      const path = join(dir, folder, 'typescript', 'lib', 'tsserver.js')
      if (existsSync(path)) return { tsserver: { path: realpathSync(path) } }
    }
  }
  return 'it would run the TypeScript of the workspace, because its own is missing'
}
