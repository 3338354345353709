// Packs the program, installs it with Node 20, 22, 24 and 26, and runs it in a clean directory.
//   node test/trials/install.mjs [--only 20,24]
// Prints sizes and times. Exit 1 if a budget is exceeded, a command fails, or a warning is printed. A version of
// Node that the registry does not have is skipped with the reason.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const work = mkdtempSync(join(tmpdir(), 'anode-install-'))
const at = process.argv.indexOf('--only')
const only = at < 0 ? undefined : process.argv[at + 1].split(',').map(Number)

/** MiB on the disk, as `du` counts them, by version of Node and source of the package. */
const budgets = {
  registry: { 20: 45, 22: 26, 24: 26, 26: 26 },
  file: { 20: 45, 22: 45, 24: 45, 26: 45 },
}
const maxStart = 1.15
const failures = []

/** Returns the program of a version of Node, or the reason why there is none. */
function findNode(version) {
  if (process.versions.node.startsWith(`${version}.`)) return { node: process.execPath }
  const name = `node-${process.platform}-${process.arch}`
  const dir = join(work, `node${version}`)
  mkdirSync(dir)
  const words = ['install', '--no-audit', '--no-fund', '--prefix', dir, `${name}@${version}`]
  const { status, stderr } = spawnSync('npm', words, { encoding: 'utf8', timeout: 300_000 })
  if (status !== 0) return { reason: `npm has no ${name}@${version}: ${stderr.split('\n')[0]}` }
  return { node: join(dir, 'node_modules', name, 'bin', 'node') }
}

/** Packs with all steps of a release. Returns the path of the packed file. */
function pack() {
  execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', work], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return join(
    work,
    readdirSync(work).find((name) => name.endsWith('.tgz')),
  )
}

/**
 * Starts a registry with the packed program, described as the npm registry describes it. Other packages come from
 * the registry that npm uses here.
 */
async function startRegistry(tarball) {
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const bytes = readFileSync(tarball)
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  const server = createServer((request, response) => {
    const own = `http://${request.headers.host}`
    if (request.url === '/packed.tgz') return response.end(bytes)
    if (request.url !== `/${manifest.name}`)
      return response.writeHead(302, { location: new URL(request.url.slice(1), upstream).href }).end()
    const dist = { integrity, tarball: `${own}/packed.tgz` }
    const versions = { [manifest.version]: { ...manifest, _hasShrinkwrap: true, dist } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name: manifest.name, 'dist-tags': { latest: manifest.version }, versions }))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    name: manifest.name,
    stop: () => server.close(),
  }
}

/** Runs a program without blocking the registry. Resolves with its exit code, output and seconds. */
async function run(program, words, options) {
  const { spawn } = await import('node:child_process')
  const started = performance.now()
  const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const out = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'])
    child[name].on('data', (chunk) => {
      out[name] += chunk
    })
  const code = await new Promise((resolve) => child.on('close', resolve).on('error', () => resolve(-1)))
  return { code, ...out, seconds: (performance.now() - started) / 1000 }
}

function expectQuiet(what, { code, stderr }, isAllowed = () => false) {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !isAllowed(line))
  if (code !== 0 || lines.length > 0)
    failures.push(`${what}: exit ${code}; ${lines.join(' | ').slice(0, 500)}`)
}

/** Returns MiB on the disk. */
const sizeOf = (dir) => Number(execFileSync('du', ['-sk', dir], { encoding: 'utf8' }).split('\t')[0]) / 1024

/** Returns the variables with which this machine reaches a registry: proxies, certificates, settings of npm. */
function networkSettings() {
  const wanted = /^(npm_config_registry|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => wanted.test(name)))
}

/** Installs from `source` and returns the environment in which the program runs. */
async function install(version, node, source, words) {
  const home = join(work, `home-${version}-${source}`)
  const prefix = join(work, `prefix-${version}-${source}`)
  mkdirSync(home)
  const env = {
    PATH: `${prefix}/bin:${dirname(node)}:${process.env.PATH}`,
    HOME: home,
    ...networkSettings(),
    ...{ npm_config_update_notifier: 'false', npm_config_cache: join(work, 'npm-cache') },
  }
  const installed = await run('npm', ['install', '--global', '--prefix', prefix, ...words], {
    env,
    cwd: work,
  })
  expectQuiet(`Node ${version}: npm i -g from the ${source}`, installed)
  const size = sizeOf(prefix)
  const limit = budgets[source][version]
  console.log(
    `Node ${version}, ${source}: ${size.toFixed(1)} MiB (at most ${limit}), installed in ${installed.seconds.toFixed(1)} s`,
  )
  if (size > limit)
    failures.push(`Node ${version}: ${size.toFixed(1)} MiB from the ${source}, more than ${limit}`)
  return { env, program: join(prefix, 'bin', 'anode') }
}

/** Runs the first commands of a new user. */
async function tryCommands(version, { env, program }) {
  const cwd = mkdtempSync(join(work, 'text-'))
  writeFileSync(join(cwd, 'notes.md'), '# Notes\n\nThe default timeout of a request is thirty seconds.\n')
  const commands = [
    [['--version'], /^\d+\.\d+\.\d+/],
    [['tools', 'list'], /^read\b/m],
    [['tools', 'use', 'grep', '--arg', 'pattern=thirty'], /notes\.md/],
    [['threads', 'list'], /threads/i],
    [['study', 'What is the default timeout of a request?', '--workers', '1'], /thirty seconds/],
  ]
  for (const [words, expected] of commands) {
    const result = await run(program, words, { env, cwd })
    const what = `Node ${version}: anode ${words.join(' ')}`
    // a study prints its progress on standard error
    expectQuiet(what, result, (line) => words[0] === 'study' && !/warning/i.test(line))
    if (!expected.test(result.stdout)) failures.push(`${what}: ${result.stdout.slice(0, 200)}`)
    console.log(
      `  anode ${words.join(' ').slice(0, 40)}: exit ${result.code}, ${result.seconds.toFixed(2)} s`,
    )
  }
}

/** Compares `anode --version` with `node -e 0`, in turn. Returns the ratio of the medians. */
function compareStart(node, program, env) {
  const time = (words) => {
    const started = performance.now()
    execFileSync(node, words, { env: { PATH: env.PATH, HOME: env.HOME }, stdio: 'ignore' })
    return performance.now() - started
  }
  const times = { floor: [], ours: [] }
  for (let i = 0; i < 25; i++) {
    times.floor.push(time(['-e', '0']))
    times.ours.push(time([program, '--version']))
  }
  const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)]
  return median(times.ours) / median(times.floor)
}

const versions = [20, 22, 24, 26].filter((version) => !only || only.includes(version))
let registry
try {
  const tarball = pack()
  const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n').length - 1
  console.log(`packed: ${(statSync(tarball).size / 2 ** 20).toFixed(1)} MiB, ${files} files`)
  registry = await startRegistry(tarball)
  for (const version of versions) {
    const { node, reason } = findNode(version)
    if (!node) {
      console.log(`Node ${version}: skipped: ${reason}`)
      continue
    }
    await install(version, node, 'file', [tarball])
    const own = await install(version, node, 'registry', [registry.name, `--registry=${registry.url}`])
    await tryCommands(version, own)
    const ratio = compareStart(node, own.program, own.env)
    console.log(`  anode --version: ${ratio.toFixed(2)} x node -e 0 (at most ${maxStart})`)
    if (ratio > maxStart)
      failures.push(`Node ${version}: anode --version takes ${ratio.toFixed(2)} x node -e 0`)
  }
} finally {
  registry?.stop()
  rmSync(work, { recursive: true, force: true })
}
for (const failure of failures) console.error(`failed: ${failure}`)
process.exitCode = failures.length > 0 ? 1 : 0
