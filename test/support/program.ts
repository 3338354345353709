// Small real programs of tests: bundled from TypeScript and run as separate processes.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { onFileEnd } from './file-end.ts'

/** Bundles `entry` into `dir` and returns the file to run. */
export async function bundle(entry: string, dir: string): Promise<string> {
  const outfile = join(dir, 'program.mjs')
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    loader: { '.md': 'text', '.lua': 'text' },
    banner: {
      js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
    },
    logLevel: 'error',
  })
  return outfile
}

const made = new Map<string, Promise<string>>()

/**
 * Returns the file to run for `entry`, bundled once for all tests of a file and removed with the
 * last of them.
 */
export function bundled(entry: string): Promise<string> {
  const known = made.get(entry)
  if (known) return known
  const dir = mkdtempSync(join(tmpdir(), 'anode-bundle-'))
  const file = bundle(entry, dir)
  made.set(entry, file)
  onFileEnd(() => {
    made.delete(entry)
    rmSync(dir, { recursive: true, force: true })
  })
  return file
}

export interface Ended {
  code: number | null
  signal: string | null
  stdout: string
  stderr: string
}

/** Runs node with these arguments to its end. `killAfterMs` ends it with SIGKILL. */
export function node(
  args: readonly string[],
  options: { env?: Record<string, string>; uid?: number; killAfterMs?: number } = {},
): Promise<Ended> {
  const { env, uid, killAfterMs } = options
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', ...env },
      ...(uid !== undefined && { uid, gid: uid }),
    })
    const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code, signal, stdout, stderr })
    })
  })
}
