// The npm package: packed, installed into an empty directory, and used there for its main jobs.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../support/sources.ts'

/**
 * Limit in MiB on the disk, counted in blocks as `du` does. 6 MiB of it are SQLite for six machines, which
 * only Node before 22.16 needs. A release is 1 MiB smaller, because `npm pack` compresses better.
 */
const maxInstalled = 26
const maxWithPictures = 48
/** MiB and number of files of the packed program. */
const maxPacked = 14
const maxFiles = 1600

let base: string
let work: string
let program: string
let tarball: string
/** Size in MiB of the installed program before the picture library joins it. */
let installed: number

/** Runs npm with the registry and the package cache of the current user. npm writes no log there. */
const npm = (words: readonly string[], cwd = base) =>
  execFileSync(
    'npm',
    [...words, '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', '--logs-max=0'],
    {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, HOME: userInfo().homedir },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
const sizeOf = (dir: string) => Number(execFileSync('du', ['-sm', dir], { encoding: 'utf8' }).split('\t')[0])

function anode(...words: string[]): { code: number; out: string } {
  const env = { PATH: process.env.PATH, HOME: base, ANODE_DATA_DIR: join(base, 'data'), NO_COLOR: '1' }
  try {
    return { code: 0, out: execFileSync(program, words, { cwd: work, encoding: 'utf8', env, stdio: 'pipe' }) }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string }
    return { code: status, out: `${stdout}${stderr}` }
  }
}

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'anode-package-')))
  work = join(base, 'work')
  mkdirSync(work)
  writeFileSync(join(work, 'notes.md'), '# Notes\n\nThe default timeout of a request is thirty seconds.\n')
  // the existing build is packed, because other tests run it at the same time
  npm(['pack', '--ignore-scripts', '--pack-destination', base], root)
  tarball = join(base, readdirSync(base).find((name) => name.endsWith('.tgz')) as string)
  npm(['install', '--global', '--prefix', join(base, 'own'), tarball])
  installed = sizeOf(join(base, 'own'))
  program = join(base, 'own', 'bin', 'anode')
}, 240_000)
afterAll(() => rmSync(base, { recursive: true, force: true }))

test('is small, and runs nothing at install', () => {
  expect(statSync(tarball).size / 2 ** 20).toBeLessThanOrEqual(maxPacked)
  const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n')
  expect(files.length).toBeLessThanOrEqual(maxFiles)
  expect(installed).toBeLessThanOrEqual(maxInstalled)
  const modules = join(base, 'own', 'lib', 'node_modules')
  const manifests = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(^|\/)(node_modules\/(@[^/]+\/)?[^/@]+|anode-cli)\/package\.json$/.test(path),
  )
  expect(manifests.length).toBeGreaterThan(3)
  const scripts = manifests.flatMap((path) => {
    const { name, scripts = {} } = JSON.parse(readFileSync(join(modules, path), 'utf8'))
    const atInstall = ['preinstall', 'install', 'postinstall', 'prepare'].filter((key) => key in scripts)
    return atInstall.map((key) => `${name}: ${key}`)
  })
  expect(scripts).toEqual([])
})

test('a clone without development packages installs, and reports that it is not built', () => {
  const clone = join(base, 'clone')
  cpSync(join(root, 'cmd', 'build'), join(clone, 'cmd', 'build'), { recursive: true })
  cpSync(join(root, 'package.json'), join(clone, 'package.json'))
  const { scripts } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'))
  const words = scripts.dependencies.split(' ').slice(1)
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: clone, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^anode is not built: .*npm ci/)])
})

test('no development package may run a script at install, and npm warns about none', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const withScript = Object.keys(packages)
    .filter((path) => packages[path].hasInstallScript && !packages[path].optional)
    .map((path) => path.replace(/^.*node_modules\//, ''))
  expect(withScript.length).toBeGreaterThan(3)
  for (const name of withScript) expect(allowScripts).toHaveProperty([name], false)
  expect(Object.values(allowScripts)).not.toContain(true)
})

test('contains the license of every package in its bundle', () => {
  const text = readFileSync(
    join(base, 'own/lib/node_modules/anode-cli/dist/third-party-licenses.txt'),
    'utf8',
  )
  for (const name of ['yargs', 'zod', 'openai', 'undici', 'web-tree-sitter', 'tree-sitter-bash'])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+`, 'm'))
  const names = new Set([...text.matchAll(/^\S+ \d+\.\d+\.\d+\S* \(([^)\n]+)\)$/gm)].map(([, name]) => name))
  expect([...names].sort()).toEqual([
    ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'],
    // DejaVu fonts: they may be passed on with other software
    'SEE LICENSE IN README.md AND LICENSE',
  ])
})

test('has the pages of the manual without their images', () => {
  const files = readdirSync(join(base, 'own/lib/node_modules/anode-cli/manual'), { recursive: true })
  expect(files).toContain('session.md')
  expect(files.filter((file) => /^images|\.(?:svg|png)$/.test(String(file)))).toEqual([])
})

test('images add no more than their limit', () => {
  npm(['install', '--global', '--prefix', join(base, 'own'), `sharp@${installedSharp()}`])
  expect(sizeOf(join(base, 'own'))).toBeLessThanOrEqual(maxWithPictures)
}, 120_000)

test('runs its main jobs', () => {
  expect(anode('--version')).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+/) })
  expect(anode('tools', 'use', 'read', '--arg', 'path=notes.md').out).toContain('thirty seconds')
  expect(anode('tools', 'use', 'grep', '--arg', 'pattern=thirty').out).toContain('notes.md')
  expect(anode('study', 'What is the default timeout of a request?', '--workers', '1').code).toBeLessThan(4)
  expect(anode('study', 'report', 'last').out).toContain('thirty seconds')
  expect(anode('permissions', 'explain', 'bash', '--arg', 'command=(ls; pwd) | cat').out).not.toMatch(
    /grammar/,
  )
  expect(anode('mcp', 'list')).toMatchObject({ code: 0 })
  expect(anode('skills', 'list').out).toContain('bug_hunt')
  expect(anode('review', '--help').out).toContain('--checks')
  expect(anode('doctor').out).toMatch(/shell grammar\s+ok/)
}, 120_000)

test('works as a library with types, and lets the importing program end', () => {
  const app = join(base, 'app')
  mkdirSync(app)
  symlinkSync(join(base, 'own', 'lib', 'node_modules'), join(app, 'node_modules'))
  writeFileSync(join(app, 'notes.md'), 'The default timeout of a request is thirty seconds.\n')
  writeFileSync(
    join(app, 'replies.jsonl'),
    [
      { calls: [{ name: 'read', args: { path: 'notes.md' } }] },
      { calls: [{ name: 'double', args: { n: 15 } }] },
      { calls: [{ name: 'bash', args: { command: 'echo x > made.txt' } }] },
      { text: 'Thirty seconds.' },
    ]
      .map((reply) => JSON.stringify(reply))
      .join('\n'),
  )
  writeFileSync(join(app, 'program.mts'), libraryProgram)
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', 'node']
  const typeRoots = ['--typeRoots', join(root, 'node_modules', '@types')]
  execFileSync(tsc, [...strict, ...typeRoots, 'program.mts'], { cwd: app, encoding: 'utf8', stdio: 'pipe' })
  // the types appear only where they do not run, so the program is also valid JavaScript
  cpSync(join(app, 'program.mts'), join(app, 'program.mjs'))
  const env = { PATH: process.env.PATH, HOME: base, ANODE_DATA_DIR: join(base, 'data') }
  const out = execFileSync(process.execPath, ['program.mjs'], {
    cwd: app,
    encoding: 'utf8',
    env,
    timeout: 60_000,
  })
  expect(JSON.parse(out)).toEqual({
    lazy: true,
    tools: ['read', 'bash', 'double'],
    end: 'done',
    text: 'Thirty seconds.',
    asked: ['bash echo x > made.txt'],
    made: false,
    schemas: ['edit_file'],
    wrong: 'unknown tool reed',
  })
}, 90_000)

const libraryProgram = `
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createAgent, defineTool, toolSchemas } from 'anode-cli'

const lazy = !Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('anode-cli'))
const double = defineTool({
  name: 'double',
  description: 'Doubles',
  permission: 'auto_read',
  input_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  execute: ({ n }) => String(Number(n) * 2),
})
const base = { model: 'script:replies.jsonl', workspaceRoot: '.', toolset: 'ah' }
/** @type {string[]} */
const asked = Array.of()
const agent = await createAgent({
  ...base,
  tools: ['read', 'bash', double],
  approve: ({ tool, args }) => asked.push(tool + ' ' + args.command) > 99,
})
const { end, text } = await agent.run('What is the timeout?')
const schemas = await toolSchemas(['hooman/edit_file'])
const wrong = await createAgent({ ...base, tools: ['reed'] }).then(() => '', (error) => error.message)
const names = (list = schemas) => list.map((one) => one.function.name)
const made = existsSync('made.txt')
console.log(JSON.stringify({ lazy, tools: names([...agent.tools]), end, text, asked, made, schemas: names(), wrong }))
`

function installedSharp(): string {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.sharp
}
