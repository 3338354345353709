// The official conformance scenarios for clients, one by one, against our connection and our login.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { bundle } from '../support/program.ts'
import { read, root } from '../support/sources.ts'

const dir = mkdtempSync(join(tmpdir(), 'anode-conformance-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const client = await bundle(join(import.meta.dirname, 'client.ts'), dir)
const suite = await bundleSuite()
const list = read('test/conformance/expected-failures.yml')
const expected: string[] = parse(list).client
const { said } = await run(['list', '--client'])
const scenarios = [...said.matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1] as string)

test('the list of scenarios is whole, and every expected failure has its reason', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(26)
  expect(expected.filter((name) => !scenarios.includes(name))).toEqual([])
  const lines = list.split('\n')
  const bare = expected.filter((name) => !lines[lines.indexOf(`  - ${name}`) - 1]?.startsWith('  # '))
  expect(bare).toEqual([])
})

// some scenarios have clocks of their own, which a machine under load can miss
test.each(scenarios)('%s', { timeout: 90_000, retry: 2 }, async (name) => {
  const command = `${process.execPath} ${client}`
  const { code, said } = await run(['client', '--command', command, '--scenario', name, '--timeout', '60000'])
  const isExpected = expected.includes(name)
  if ((code === 0) === isExpected) console.log(said.slice(-4000))
  expect(code === 0 ? 'passed' : 'failed').toBe(isExpected ? 'failed' : 'passed')
})

/** As CommonJS: the one thing of Node 22 that the suite imports is of a part that is not used here. */
async function bundleSuite(): Promise<string> {
  const outfile = join(dir, 'suite.cjs')
  await build({
    entryPoints: [join(root, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  })
  return outfile
}

function run(args: readonly string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH, HOME: dir }
    const child = spawn(process.execPath, [suite, ...args], {
      cwd: dir,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, said }))
  })
}
