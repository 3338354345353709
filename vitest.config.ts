// How the tests run: sources as they are, prose files as strings, a few workers.
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { defineConfig } from 'vitest/config'
import { SlowFirst } from './test/sequencer.ts'
import { makeTemporaryFolder } from './test/temporary-folder.ts'

makeTemporaryFolder()

const host = fileURLToPath(new URL('internal/lsp/vscode-host.ts', import.meta.url))
const client = 'vscode-languageclient'

const every = ['test/**/*.test.ts']

/** Files that start the built program and load little; those that draw every command load all of it. */
const commands = ['test/cmd/**/!(widths|output-widths).test.ts']

/** Files that start git and benchmarks, thousands of them: they all load the same. */
const research = ['test/internal/research/**/*.test.ts', 'test/faults/research-*.test.ts']

/** Files that look at the memory of their process, or replace what others would use: each has a process of its own. */
const alone = [
  'test/conformance/**/*.test.ts',
  'test/faults/{model-hostile,terminal}.test.ts',
  'test/internal/lsp/language-server.test.ts',
  'test/internal/media/pdf.test.ts',
  'test/internal/document/document.test.ts',
]

/** Files that start programs: apart from the others, whose processes are larger and take longer to start one. */
const startPrograms = [
  'test/{faults,pictures}/**/*.test.ts',
  'test/internal/{runtime,service,lsp,mcp,plugin,process,review,search,toolbox}/**/*.test.ts',
  'test/internal/policy/{shell-effects,spread}.test.ts',
  'test/internal/policy/shell/{cost,shell-part}.test.ts',
  'test/internal/policy/shell/{git,programs}/**/*.test.ts',
  'test/internal/tools/{bash,run_experiment,lsp}.test.ts',
  'test/internal/patch/git.test.ts',
]

/** Only in the long form: what it starts takes longer than what it asks, and http-service.test.ts has the same server. */
const long = process.env.ANODE_FAULTS ? [] : ['test/conformance/mcp-server.test.ts']

const others = [...commands, ...research, ...alone, ...startPrograms]

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
    pool: 'forks',
    setupFiles: ['./test/setup.ts'],
    runner: './test/runner.ts',
    sequence: { sequencer: SlowFirst },
    // each project has a server of its own, which would translate the same sources again
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: join(process.env.ANODE_TEST_TEMP ?? tmpdir(), 'anode-test-modules'),
    },
    projects: [
      // much time of these was spent on loading modules: the files of a worker share them
      { extends: true, test: { name: 'commands', include: commands, isolate: false } },
      { extends: true, test: { name: 'research', include: research, isolate: false } },
      { extends: true, test: { name: 'alone', include: alone, exclude: long } },
      {
        extends: true,
        test: { name: 'programs', include: startPrograms, exclude: [...research, ...alone], isolate: false },
      },
      { extends: true, test: { name: 'units', include: every, exclude: others, isolate: false } },
    ],
    // half of the time is spent on waiting for processes: with two workers for each processor none of them is idle
    maxWorkers: Math.min(2 * availableParallelism(), 4),
    // limits for what hangs, not for what is slow: whole programs are started beside each other, on one processor too
    // a long form does ten times as much in one test
    testTimeout: process.env.ANODE_FAULTS ? 600_000 : 150_000,
    hookTimeout: 150_000,
    reporters: ['default', './test/reporter.ts'],
  },
})
