// The files for registries: against schemas written from their documentation, and the texts of formula and nix.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { root } from '../../support/sources.ts'

/** The fields that the ACP registry documents in its agent.schema.json. */
const acpAgent = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  name: z.string().min(1),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  description: z.string().min(1),
  repository: z.url(),
  website: z.url(),
  authors: z.array(z.string()),
  license: z.string(),
  license_url: z.url(),
  distribution: z.strictObject({
    npx: z.strictObject({ package: z.string().min(1), args: z.array(z.string()) }),
  }),
})

/** The fields that the MCP registry documents for a package of npm. */
const mcpServer = z.strictObject({
  $schema: z.url(),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().max(255),
  websiteUrl: z.url(),
  repository: z.strictObject({ url: z.url(), source: z.literal('github') }),
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      registryBaseUrl: z.literal('https://registry.npmjs.org'),
      identifier: z.string(),
      version: z.string(),
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })),
    }),
  ),
})

let out: string
const read = (name: string) => readFileSync(join(out, name), 'utf8')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'anode-registries-'))
  writeFileSync(join(out, 'packed.tgz'), 'packed')
  const words = ['cmd/release/main.mjs', 'registries', join(out, 'packed.tgz'), out]
  execFileSync(process.execPath, words, { cwd: root })
})
afterAll(() => rmSync(out, { recursive: true, force: true }))

test('agent.json and server.json have the documented fields and no others', () => {
  expect(acpAgent.parse(JSON.parse(read('agent.json'))).distribution.npx).toEqual({
    package: `anode-cli@${manifest.version}`,
    args: ['acp'],
  })
  expect(mcpServer.parse(JSON.parse(read('server.json'))).name).toBe(manifest.mcpName)
  expect(manifest.mcpName).toMatch(/^io\.github\.[^/]+\/anode$/)
})

test('the formula and the nix package name the packed file with its hash', () => {
  const url = `https://registry.npmjs.org/anode-cli/-/anode-cli-${manifest.version}.tgz`
  const sum = (program: string) =>
    execFileSync(program, [join(out, 'packed.tgz')], { encoding: 'utf8' }).split(' ')[0] as string
  expect(read('anode.rb')).toContain(`url "${url}"\n  sha256 "${sum('sha256sum')}"`)
  const hash = Buffer.from(sum('sha512sum'), 'hex').toString('base64')
  expect(read('default.nix')).toContain(`url = "${url}";\n    hash = "sha512-${hash}";`)
  expect(readdirSync(out).sort()).toEqual([
    'agent.json',
    'anode.rb',
    'default.nix',
    'packed.tgz',
    'server.json',
  ])
})

test.each([
  ['anode.rb', /\b(class|do|def)\b(?=[^"\n]*$)/gm, /^\s*end$/gm],
  ['default.nix', /[{[(]/g, /[}\])]/g],
])('the blocks of %s are balanced', (name, opening, closing) => {
  const text = read(name)
  expect(text.match(opening)?.length).toBe(text.match(closing)?.length)
  expect(text).not.toMatch(/undefined|\[object/)
})

test('the list of software has installed and bundled packages, and none that only tests use', () => {
  const text = execFileSync(process.execPath, ['cmd/release/main.mjs', 'sbom'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, HOME: userInfo().homedir },
    maxBuffer: 1 << 28,
  })
  const { bomFormat, components, dependencies } = JSON.parse(text)
  const names = new Set(components.map(({ name }: { name: string }) => name))
  expect(bomFormat).toBe('CycloneDX')
  for (const name of ['zod', 'yargs', '@photostructure/sqlite', '@vscode/ripgrep', 'undici'])
    expect(names).toContain(name)
  for (const name of ['vitest', 'typescript', '@biomejs/biome', 'playwright-core'])
    expect(names).not.toContain(name)
  const known = new Set([
    ...components.map((one: { 'bom-ref': string }) => one['bom-ref']),
    dependencies[0]?.ref,
  ])
  for (const { dependsOn } of dependencies) for (const ref of dependsOn) expect(known).toContain(ref)
})
