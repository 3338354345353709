// Fetches from a real registry and a real repository on this machine.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fetchSource } from '../../../../internal/service/study-eval/evaluation-fetch.ts'
import type { CorpusSource } from '../../../../internal/study-eval/corpus-source.ts'
import { integrityOf } from '../../../../internal/study-eval/package-archive.ts'
import { git, repoWith } from '../../../support/repo.ts'
import { run } from '../../../support/run.ts'
import { harvest, scratch, scratchWith } from '../../../support/scratch.ts'
import { webServer } from '../../../support/web-server.ts'

function options(registry = '') {
  const env = { npm_config_registry: registry, npm_config_cache: scratch() }
  const notes: string[] = []
  const signal = new AbortController().signal
  return {
    run,
    cache: scratch(),
    from: scratch(),
    env,
    signal,
    notes,
    note: (text: string) => notes.push(text),
  }
}

/** Serves a registry with one package, whose scripts would leave a trace. */
async function serveRegistry(trace: string) {
  const manifest = {
    name: 'tiny-docs',
    version: '1.0.0',
    scripts: Object.fromEntries(
      ['prepack', 'prepare', 'postinstall'].map((name) => [name, `touch ${trace}`]),
    ),
  }
  const dir = scratchWith({
    'package/package.json': JSON.stringify(manifest),
    'package/README.md': 'It waits for 5 seconds.',
  })
  const file = join(dir, 'it.tgz')
  execFileSync('tar', ['czf', file, '-C', dir, 'package'])
  const archive = readFileSync(file)
  const { base, seen } = await webServer(({ url }, response) => {
    if (url === '/it.tgz') return response.end(archive)
    if (url !== '/tiny-docs') return response.writeHead(404).end('{"error":"not found"}')
    const dist = { tarball: `${base}/it.tgz`, integrity: integrityOf(archive) }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name: 'tiny-docs', versions: { '1.0.0': { ...manifest, dist } } }))
  })
  return { base, seen, integrity: integrityOf(archive) }
}

const packageOf = (integrity: string, version = '1.0.0'): CorpusSource => ({
  kind: 'package',
  name: 'tiny-docs',
  version,
  integrity,
})

it('fetches a package once, and runs nothing of it', { timeout: 60_000 }, async () => {
  const trace = join(scratch(), 'trace')
  const { base, seen, integrity } = await serveRegistry(trace)
  const at = options(base)
  const dir = await fetchSource(packageOf(integrity), at)
  expect(Object.keys(harvest(dir))).toEqual(['README.md', 'package.json'])
  expect(at.notes).toEqual(['fetching tiny-docs 1.0.0'])
  const requests = seen.length
  expect(await fetchSource(packageOf(integrity), at)).toBe(dir)
  expect(seen).toHaveLength(requests)
  expect(existsSync(trace)).toBe(false)
})

it('rejects a package with another hash, and leaves nothing of it', { timeout: 60_000 }, async () => {
  const { base } = await serveRegistry(join(scratch(), 'trace'))
  const at = options(base)
  await expect(fetchSource(packageOf(`sha512-${'A'.repeat(86)}==`), at)).rejects.toThrow(/its hash differs/)
  await expect(fetchSource(packageOf(`sha512-${'A'.repeat(86)}==`, '9.0.0'), at)).rejects.toThrow(
    /^npm pack tiny-docs@9\.0\.0: [^\n]*No matching version/,
  )
  expect(readdirSync(at.cache)).toEqual([])
})

it('reports a missing network in one line', { timeout: 60_000 }, async () => {
  const at = options('http://127.0.0.1:9')
  await expect(fetchSource(packageOf(`sha512-${'A'.repeat(86)}==`), at)).rejects.toThrow(
    /^npm pack tiny-docs@1\.0\.0: [^\n]+$/,
  )
  expect(readdirSync(at.cache)).toEqual([])
})

it('fetches only the named commit and runs nothing of it', async () => {
  const trace = join(scratch(), 'trace')
  const from = repoWith({ 'a.md': 'old', '.gitattributes': '*.md filter=evil' })
  const commit = git(from, 'rev-parse', 'HEAD').trim()
  git(from, 'config', 'filter.evil.smudge', `touch ${trace}`)
  writeFileSync(join(from, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${trace}\n`)
  chmodSync(join(from, '.git/hooks/post-checkout'), 0o755)
  writeFileSync(join(from, 'a.md'), 'new')
  git(from, 'commit', '-qam', 'second')
  const at = options()
  const dir = await fetchSource({ kind: 'repository', url: `file://${from}`, commit }, at)
  expect(readFileSync(join(dir, 'a.md'), 'utf8')).toBe('old')
  expect(existsSync(trace)).toBe(false)
  expect(await fetchSource({ kind: 'repository', url: `file://${from}`, commit }, at)).toBe(dir)
  const wrong = { kind: 'repository', url: `file://${from}`, commit: 'b'.repeat(40) } as const
  await expect(fetchSource(wrong, at)).rejects.toThrow(/does not give out this commit; name one/)
  const gone = { kind: 'repository', url: `file://${scratch()}/none`, commit } as const
  await expect(fetchSource(gone, at)).rejects.toThrow(/^git fetch: [^\n]+; git ls-remote file:[^\n]+$/)
  for (const name of ['HEAD', commit.slice(0, 12), '--upload-pack=evil', ''])
    await expect(fetchSource({ ...wrong, commit: name }, at)).rejects.toThrow(
      `invalid commit "${name}": use its 40 hex digits`,
    )
  expect(readdirSync(at.cache)).toHaveLength(1)
})
