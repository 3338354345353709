// The official conformance suite as a program: bundled once for a test file, started for each run.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { build } from 'esbuild'
import { parse } from 'yaml'
import { read, root } from '../support/sources.ts'

interface SuiteRun {
  code: number | null
  said: string
  /** The longest time, in milliseconds, that the machine kept the suite or this process from running. */
  stalledMs: number
}

interface ConformanceSuite {
  /** A scratch directory, gone with `remove`. */
  dir: string
  run(args: readonly string[]): Promise<SuiteRun>
  remove(): void
}

/** As CommonJS: the one thing of Node 22 that the suite imports is of a part that is not used here. */
export async function bundleSuite(): Promise<ConformanceSuite> {
  const dir = mkdtempSync(join(tmpdir(), 'anode-conformance-'))
  const outfile = join(dir, 'suite.cjs')
  await build({
    entryPoints: [join(root, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  })
  return {
    dir,
    run: (args) => runSuite(outfile, dir, args),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

function runSuite(suite: string, dir: string, args: readonly string[]): Promise<SuiteRun> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH, HOME: dir }
    const child = spawn(process.execPath, [join(import.meta.dirname, 'cached.cjs'), suite, ...args], {
      cwd: dir,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
    child.on('error', reject)
    const stall = monitorEventLoopDelay({ resolution: 20 })
    stall.enable()
    child.on('close', (code) => {
      stall.disable()
      const [, ofSuite = 0] = /\nlongest stall: (\d+) ms\n/.exec(said) ?? []
      resolve({ code, said, stalledMs: Math.max(Number(ofSuite), stall.max / 1e6) })
    })
  })
}

const list = 'test/conformance/expected-failures.yml'

/** Scenarios of one side that are expected to fail, and those of them that stand below no reason. */
export function expectedFailures(side: 'client' | 'server'): { names: string[]; bare: string[] } {
  const text = read(list)
  const names: string[] = parse(text)[side]
  const lines = text.split('\n')
  return {
    names,
    bare: names.filter((name) => !lines[lines.indexOf(`  - ${name}`) - 1]?.startsWith('  # ')),
  }
}
