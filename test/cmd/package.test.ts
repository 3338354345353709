// The package as npm hands it out: packed, installed into an empty folder, and used there for its main jobs.
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../support/sources.ts'

/** MiB on the disk, counted in blocks as `du` does. */
const maxInstalled = 45
const maxWithPictures = 62

let base: string
let work: string
let program: string
let tarball: string

const npm = (...words: string[]) =>
  execFileSync('npm', [...words, '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], {
    cwd: base,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
  // the build is tested as it is: other tests run it at the same time
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', base], {
    cwd: root,
    stdio: 'ignore',
  })
  tarball = join(base, readdirSync(base).find((name) => name.endsWith('.tgz')) as string)
  npm('install', '--global', '--prefix', join(base, 'own'), tarball)
  program = join(base, 'own', 'bin', 'anode')
}, 240_000)
afterAll(() => rmSync(base, { recursive: true, force: true }))

test('it is small, and nothing of it runs at install', () => {
  expect(sizeOf(join(base, 'own'))).toBeLessThanOrEqual(maxInstalled)
  const modules = join(base, 'own', 'lib', 'node_modules')
  const manifests = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(^|\/)(node_modules\/(@[^/]+\/)?[^/@]+|anode)\/package\.json$/.test(path),
  )
  expect(manifests.length).toBeGreaterThan(3)
  const scripts = manifests.flatMap((path) => {
    const { name, scripts = {} } = JSON.parse(readFileSync(join(modules, path), 'utf8'))
    const atInstall = ['preinstall', 'install', 'postinstall', 'prepare'].filter((key) => key in scripts)
    return atInstall.map((key) => `${name}: ${key}`)
  })
  expect(scripts).toEqual([])
})

test('it carries the licence of every package in its bundle', () => {
  const text = readFileSync(join(base, 'own/lib/node_modules/anode/dist/third-party-licenses.txt'), 'utf8')
  for (const name of ['yargs', 'zod', 'openai', 'undici', 'web-tree-sitter', 'tree-sitter-bash'])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+`, 'm'))
})

test('pictures are an addition that stays within its bounds', () => {
  npm('install', '--global', '--prefix', join(base, 'own'), `sharp@${installedSharp()}`)
  expect(sizeOf(join(base, 'own'))).toBeLessThanOrEqual(maxWithPictures)
}, 120_000)

test('its main jobs run', () => {
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

function installedSharp(): string {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.sharp
}
