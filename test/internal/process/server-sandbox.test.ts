// Servers in their sandbox: the files that a plugin, an MCP server and a language server can reach.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLspSession } from '../../../internal/lsp/lsp-session.ts'
import { openStdioTransport } from '../../../internal/mcp/connection/stdio-transport.ts'
import { connectPlugin } from '../../../internal/plugin/connection.ts'
import { serverSandbox } from '../../../internal/process/server-sandbox.ts'
import { type EscapeGround, escapeProgram, openEscapeGround, readEscapes } from '../../support/escapes.ts'

let ground: EscapeGround
beforeAll(async () => {
  ground = await openEscapeGround()
})
afterAll(() => ground.close())

const sandboxFor = (name: string, program: string, places = {}) =>
  serverSandbox({
    ...{ folders: [ground.work], places, base: ground.work, words: [program] },
    state: join(ground.root, 'data', 'servers', name),
  })

/** Returns the report that a server has written to its only writable directory. */
async function reportOf(name: string): Promise<string> {
  const file = join(ground.root, 'data', 'servers', name, 'tried.txt')
  while (!existsSync(file)) await new Promise((later) => setTimeout(later, 20))
  return readEscapes(readFileSync(file, 'utf8'))
}

test('a plugin, an MCP server and a language server cannot leave their directories', async ({ skip }) => {
  if (!ground.active) return skip()
  const { work, runner } = ground
  mkdirSync(join(work, '.anode'))
  const programOf = (name: string) => {
    const path = join(work, '.anode', name)
    const file = join(ground.root, 'data', 'servers', name, 'tried.txt')
    writeFileSync(path, escapeProgram(ground, file, 'sleep 30'), { mode: 0o755 })
    return path
  }
  const [plugin, mcp, language] = [programOf('plugin'), programOf('mcp'), programOf('lsp')]
  const connection = await connectPlugin(
    { path: plugin, cwd: work, sandbox: sandboxFor('plugin', plugin) },
    runner.spawn,
  )
  const launch = { kind: 'stdio', command: mcp, args: [], env: {}, cwd: work } as const
  const transport = openStdioTransport(launch, runner.spawn, sandboxFor('mcp', mcp))
  await transport.start()
  const ending = new AbortController()
  const entry = { name: 'x', program: language, args: [], extensions: {}, env: {}, origin: 'workspace' }
  const sandboxed = { ...entry, sandboxRequest: sandboxFor('lsp', language) }
  const session = openLspSession(sandboxed, work, runner.spawn, ending.signal).catch(() => undefined)
  const [ofPlugin, ofMcp, ofLsp] = await Promise.all([reportOf('plugin'), reportOf('mcp'), reportOf('lsp')])
  ending.abort()
  await Promise.all([connection.close(), transport.close(), session])
  expect(ground.damage()).toEqual([])
  console.log(`survived/tried ${ofPlugin} (plugin), ${ofMcp} (MCP server), ${ofLsp} (language server)`)
}, 60_000)

test('a server can read and write the paths of its configuration, and has its caches in a separate directory', async ({
  skip,
}) => {
  if (!ground.active) return skip()
  const { work, home, outside, runner } = ground
  writeFileSync(join(home, 'notes'), 'mine\n')
  const own = join(ground.root, 'data', 'servers', 'named')
  const line = [
    `cat ~/notes '${work}/a.txt'; echo x > '${outside}/written'; echo x > '${work}/no'; echo x > '${own}/kept'`,
    'echo "$XDG_CACHE_HOME"',
  ].join('\n')
  const sandbox = sandboxFor('named', '/bin/bash', { read: ['~/notes', 'gone'], write: [outside] })
  const start = { file: 'bash', args: ['-c', line], cwd: work, sandbox }
  const { stdout } = await runner.run(start)
  expect(stdout.text).toBe(`mine\none\n${own}/.cache\n`)
  expect(readFileSync(join(outside, 'written'), 'utf8')).toBe('x\n')
  expect(existsSync(join(work, 'no'))).toBe(false)
  expect(readFileSync(join(own, 'kept'), 'utf8')).toBe('x\n')
})

test('finds the program of a server through links, with its packages and environment, and shows nothing else', async ({
  skip,
}) => {
  if (!ground.active) return skip()
  const { work, home, runner } = ground
  const version = join(home, 'apps', 'v1')
  const packages = join(version, 'node_modules')
  const put = (path: string, text: string) => {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text, { mode: 0o755 })
  }
  put(join(version, 'private'), 'not shown\n')
  put(join(packages, 'needed', 'value'), 'needed\n')
  put(
    join(packages, 'serve', 'main.sh'),
    '#!/bin/bash\ncd "$(dirname "$(realpath "$0")")"; cat ../needed/value; ls ../..\n',
  )
  mkdirSync(join(packages, '.bin'))
  symlinkSync('../serve/main.sh', join(packages, '.bin', 'serve'))
  symlinkSync('v1', join(home, 'apps', 'current'))
  const venv = join(home, 'venv')
  put(join(venv, 'pyvenv.cfg'), 'home = /bin\n')
  mkdirSync(join(venv, 'bin'))
  symlinkSync('/bin/bash', join(venv, 'bin', 'python'))
  const serve = join(home, 'apps', 'current', 'node_modules', '.bin', 'serve')
  const python = join(venv, 'bin', 'python')
  const ask = async (file: string, args: string[]) => {
    const { stdout, stderr } = await runner.run({
      file,
      args,
      cwd: work,
      sandbox: sandboxFor('linked', file),
    })
    return stdout.text + stderr.text
  }
  expect(await ask(serve, [])).toBe('needed\nnode_modules\n')
  expect(await ask(python, ['-c', `cat '${venv}/pyvenv.cfg'; ls '${home}'`])).toBe(
    'home = /bin\nvenv\nwork\n',
  )
})
