// The official conformance suite as a program: bundled once per test file, started for each run.
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
  /** The longest time in milliseconds that the machine kept the suite or this process from running. */
  stalledMs: number
}

interface ConformanceSuite {
  /** A scratch directory that `remove` deletes. */
  dir: string
  run(args: readonly string[]): Promise<SuiteRun>
  remove(): void
}

/** Bundles the suite as CommonJS. Its only import that needs Node 22 belongs to an unused part. */
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

/** Returns the scenarios of one side that are expected to fail, and those that have no reason in the list. */
export function expectedFailures(side: 'client' | 'server'): { names: string[]; bare: string[] } {
  const text = read(list)
  const names: string[] = parse(text)[side]
  const lines = text.split('\n')
  return {
    names,
    bare: names.filter((name) => !lines[lines.indexOf(`  - ${name}`) - 1]?.startsWith('  # ')),
  }
}
