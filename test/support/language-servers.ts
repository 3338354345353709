// The real language servers that come with the development packages, ready to be started.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { knownServers } from '../../internal/lsp/config/known-servers.ts'
import { overlaySettings } from '../../internal/lsp/config/server-entries.ts'
import type { LspServerEntry } from '../../internal/lsp/config/server-entry.ts'
import {
  type LanguageServers,
  type LanguageServersOptions,
  openLspServers,
} from '../../internal/lsp/language-servers.ts'
import { createRunner } from '../../internal/process/run-command.ts'
import type { LspQuery } from '../../internal/tool/lsp.ts'
import { scratch } from './scratch.ts'
import { root } from './sources.ts'

export const bin = join(root, 'node_modules', '.bin')
/** The project's own TypeScript has no tsserver. */
export const tsserver = join(root, 'node_modules', 'typescript5', 'lib', 'tsserver.js')

export function realEntry(name: string): LspServerEntry {
  const usual = knownServers.find((one) => one.name === name)
  if (!usual) throw new Error(`no such server: ${name}`)
  const { command, args, extensions, initializationOptions, env = {} } = usual
  const own = name === 'typescript' ? { tsserver: { path: tsserver } } : undefined
  const options = overlaySettings(initializationOptions, own) as object | undefined
  return {
    ...{ name, program: join(bin, command), args, extensions, env, origin: 'test' },
    ...(options && { initializationOptions: options }),
    // without shellcheck it reports nothing else
    ...(name === 'bash' && { settings: { bashIde: { enableSourceErrorDiagnostics: true } } }),
  }
}

/** Servers for one directory; ended with the test. */
export function serve(
  dir: string,
  entries: readonly LspServerEntry[],
  more: Pick<LanguageServersOptions, 'patience' | 'editMs'> = {},
): LanguageServers {
  const runner = createRunner({ dataDir: scratch(), env: process.env })
  const servers = openLspServers({ entries, roots: [dir], spawn: runner.spawn, ...more })
  onTestFinished(async () => {
    await servers.stop()
    await runner.close()
  })
  return servers
}

/** Returns an ordinary question. */
export function question(operation: LspQuery['operation'], rest: Partial<LspQuery> = {}): LspQuery {
  const lines = async (path: string) => readFileSync(path, 'utf8').split('\n')
  return { operation, text: '', includeDeclaration: false, lines, ...rest }
}

export const never = new AbortController().signal

/** Returns line and character, from 0, of the first `mark` in a text, plus `more` characters. */
export function at(text: string, mark: string, more = 0): { line: number; character: number } {
  const before = text.slice(0, text.indexOf(mark)).split('\n')
  return { line: before.length - 1, character: (before.at(-1) ?? '').length + more }
}
