// Language servers through the built program: listed, tried, trusted, asked, and else not loaded.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { grantTrust } from '../../internal/trust/trust.ts'
import { type World, world } from '../support/anode.ts'
import { bin, tsserver } from '../support/language-servers.ts'
import { root } from '../support/sources.ts'

let w: World
beforeEach(() => {
  w = world()
})
afterEach(() => w.remove())

/** Returns a directory with git, shells and node, but without any installed language server. */
function programs(): string {
  const dir = join(w.data, '..', 'programs')
  if (existsSync(dir)) return dir
  mkdirSync(dir)
  for (const name of [
    'git',
    'bash',
    'sh',
    'env',
    'cat',
    'sed',
    'bwrap',
    'mkdir',
    'chmod',
    'uname',
    'dirname',
  ]) {
    const at = ['/usr/bin', '/bin', '/usr/local/bin'].find((from) => existsSync(join(from, name)))
    if (at) symlinkSync(join(at, name), join(dir, name))
  }
  symlinkSync(process.execPath, join(dir, 'node'))
  return dir
}

const run = (...words: string[]) => w.anode(words, { env: { PATH: programs() } })

const fakeServer = join(root, 'test/support/fake-server.mjs')

/** Adds a server to the workspace that writes to `started` when it runs. */
function bring(mode = 'plain'): void {
  const args = [fakeServer, mode, join(w.dir, 'started')]
  const fake = { command: process.execPath, args, extensions: { '.x': 'x' }, sandbox: { write: ['.'] } }
  w.put('.lsp.json', JSON.stringify({ fake }))
  w.put('a.x', 'one\nbad\n')
}

const started = () => existsSync(join(w.dir, 'started'))
const diagnose = () => run('tools', 'use', 'get_diagnostics', '--arg', 'path=a.x', '--arg', 'wait=true')

describe('trust', () => {
  it('comes before anything of the workspace starts, and again when the command line changes', async () => {
    bring()
    const before = await diagnose()
    expect(before.err + before.out).toContain('no language server is configured or found')
    expect(before.code).toBe(2)
    expect((await run('lsp', 'doctor')).out).not.toContain('fake')
    expect((await run('doctor')).out).not.toContain('fake')
    expect((await run('tools', 'list')).out).not.toMatch(/^lsp /m)
    expect(started()).toBe(false)

    await grantTrust(w.dir, w.data)
    expect((await run('trust')).out).toContain('.lsp.json')
    expect((await run('tools', 'list')).out).toMatch(/^lsp /m)
    expect((await run('lsp', 'list')).out).toContain('fake')
    expect(started()).toBe(false)
    const after = await diagnose()
    expect(after).toMatchObject({ code: 0, out: 'a.x: 1 error\na.x:1:1 error found bad\n' })
    expect(started()).toBe(true)

    bring('utf8')
    const changed = await diagnose()
    expect(changed.code).toBe(2)
    expect(changed.err + changed.out).toContain('no language server')
  })

  it('lets a call that is typed wait for a server that is just starting', async () => {
    bring('slow')
    await grantTrust(w.dir, w.data)
    const typed = await run('tools', 'use', 'get_diagnostics', '--arg', 'path=a.x')
    expect(typed).toMatchObject({ code: 0, out: expect.stringContaining('a.x: 1 error\n') })
  })

  it('comes before a server among the packages of the workspace', async () => {
    mkdirSync(join(w.dir, 'node_modules', '.bin'), { recursive: true })
    const program = join(w.dir, 'node_modules', 'server.mjs')
    writeFileSync(
      program,
      `#!${process.execPath}\nprocess.argv[2] = 'plain'\nprocess.argv[3] = ${JSON.stringify(join(w.dir, 'started'))}\nawait import(${JSON.stringify(fakeServer)})\n`,
    )
    chmodSync(program, 0o755)
    symlinkSync('../server.mjs', join(w.dir, 'node_modules', '.bin', 'pyright-langserver'))
    w.put('a.py', 'bad\n')
    w.put(
      '../.config/anode/lsp.json',
      JSON.stringify({ pyright: { sandbox: { read: [root], write: [w.dir] } } }),
    )
    const ask = () =>
      run(
        'tools',
        'use',
        'lsp',
        '--arg',
        'operation=hover',
        '--json',
        '{"path":"a.py","line":0,"character":0}',
      )
    expect((await ask()).code).toBe(2)
    expect((await run('lsp', 'list')).out).toContain('is in the workspace, which is not trusted')
    expect(started()).toBe(false)
    await grantTrust(w.dir, w.data)
    const answer = await ask()
    expect([answer.code, answer.out]).toEqual([0, expect.stringMatching(/^line 0 character 0\n\[/)])
    writeFileSync(program, `${readFileSync(program, 'utf8')}// newer\n`)
    expect((await ask()).code).toBe(2)
  })
})

describe('a real server', () => {
  it('is asked through the built program', async () => {
    w.put(
      '../.config/anode/lsp.json',
      JSON.stringify({
        typescript: {
          command: join(bin, 'typescript-language-server'),
          initializationOptions: { tsserver: { path: tsserver } },
        },
        broken: { command: 'nowhere', extensions: { '.q': 'q' } },
      }),
    )
    w.put('a.ts', 'export const one: string = 1\nexport const two = one\n')
    const found = await run(
      'tools',
      'use',
      'lsp',
      '--json',
      '{"operation":"goToDefinition","path":"a.ts","line":1,"character":20}',
    )
    expect(found.code).toBe(0)
    expect(found.out).toMatch(
      /^a\.ts:1:14 {2}export const one: string = 1\n\[.*line 2, column 21 of read\]\n$/,
    )
    const json = await run(
      'tools',
      'use',
      'get_diagnostics',
      '--json',
      // the server starts anew for this call, which takes longer than the usual wait on a machine that has
      // other work
      '{"path":"a.ts","wait":true,"wait_timeout_ms":30000}',
      '--output',
      'json',
    )
    expect(JSON.parse(json.out)).toMatchObject({
      ok: true,
      data: {
        files: [{ path: 'a.ts', state: 'fresh', diagnostics: [{ line: 0, character: 13, code: '2322' }] }],
      },
    })
    const doctor = await run('lsp', 'doctor')
    expect(doctor.code).toBe(1)
    expect(doctor.out).toMatch(/^typescript +ok +up in \d+ ms; goToDefinition, .*outgoingCalls +1$/m)
    expect(doctor.out).toMatch(/^broken +broken +nowhere is not on the PATH \(.*lsp\.json\) +none$/m)
    const rows = JSON.parse((await run('lsp', 'list', '--json')).out)
    expect(rows[0]).toMatchObject({ name: 'typescript', state: 'ready' })
    expect((await run('doctor')).out).toMatch(/language server +broken/)
  }, 120_000)
})

it('can be turned off', async () => {
  bring()
  await grantTrust(w.dir, w.data)
  w.put('../.config/anode/config.json', '{ "lsp": { "enabled": false } }')
  const { out, err } = await diagnose()
  expect(out + err).toContain('turned off')
  expect(started()).toBe(false)
})

it('loads nothing of it for those who ask something else', () => {
  bring()
  const hook = "process.on('exit', () => console.error(JSON.stringify(require(process.env.LOADER).files())))"
  w.put('hook.cjs', hook)
  const dist = join(root, 'dist')
  const used = (...words: string[]): string[] => {
    const script = 'exec "$0" -r ./hook.cjs "$@" 2>&1 >/dev/null'
    const words_ = ['-c', script, process.execPath, join(dist, 'anode.cjs'), ...words]
    const options = {
      cwd: w.dir,
      encoding: 'utf8',
      env: { PATH: programs(), HOME: dirname(w.dir), LOADER: join(dist, 'load.cjs') },
    } as const
    return JSON.parse(execFileSync('sh', words_, options).trim().split('\n').at(-1) as string)
  }
  const heavy = (file: string) => readFileSync(join(dist, file), 'utf8').includes('publishDiagnostics')
  const reading = used('tools', 'use', 'read', '--arg', 'path=a.x')
  expect(reading.length).toBeGreaterThan(0)
  expect(reading.filter(heavy)).toEqual([])
  expect(used('tools', 'list').filter(heavy)).toEqual([])
})

describe('what the workspace needs', () => {
  it.each([
    ['src/a.ts', 'typescript', 'npm i -g typescript-language-server typescript'],
    ['main.go', 'gopls', 'go install golang.org/x/tools/gopls@latest'],
    ['go.mod', 'gopls', 'go install golang.org/x/tools/gopls@latest'],
    ['src/lib.rs', 'rust-analyzer', 'rustup component add rust-analyzer'],
    ['pkg/a.py', 'pyright', 'npm i -g pyright'],
    ['run.sh', 'bash', 'npm i -g bash-language-server'],
  ])('%s needs %s', async (path, server, install) => {
    w.put(path, '')
    const { out } = await run('lsp', 'doctor', '--json')
    const rows = JSON.parse(out) as { name: string; needed: number; install?: string }[]
    expect(rows[0]).toMatchObject({ name: server, needed: 1, install })
    expect(rows.slice(1).filter((row) => row.install !== undefined)).toEqual([])
    expect((await run('doctor')).out).toContain(`needed here: ${server} (1 file): ${install}`)
  })
})
