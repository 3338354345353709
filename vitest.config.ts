// How the tests run: sources as they are, prose files as strings, a few workers.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { defineConfig } from 'vitest/config'

const host = fileURLToPath(new URL('internal/lsp/vscode-host.ts', import.meta.url))
const client = 'vscode-languageclient'

export default defineConfig({
  plugins: [
    {
      name: 'prose',
      transform: (code, id) =>
        /\.(md|lua)$/.test(id) ? `export default ${JSON.stringify(code)}` : undefined,
    },
    {
      // as in cmd/build/main.mjs: the client asks for the module `vscode`, which exists only inside the editor
      name: 'vscode-host',
      enforce: 'pre',
      resolveId: (id) => (id === client ? `\0${client}` : undefined),
      async load(id) {
        if (id !== `\0${client}`) return undefined
        const contents = `import 'vscode-jsonrpc/node'; export { LanguageClient } from '${client}'`
        const made = await build({
          stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
          alias: { vscode: host },
          bundle: true,
          write: false,
          platform: 'node',
          format: 'esm',
          banner: {
            js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(host)})`,
          },
        })
        return made.outputFiles[0]?.text
      },
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // much of the time is spent on waiting for processes: one worker more than there are processors, up to four
    maxWorkers: Math.min(availableParallelism(), 3) + 1,
    // limits for what hangs, not for what is slow: whole programs are started beside each other, on one processor too
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/reporter.ts'],
  },
})
