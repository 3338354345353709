// Packs the program, installs it with Node 20, 22, 24 and 26, and runs it in a clean directory.
//   node test/trials/install.mjs [--only 20,24]
// Prints sizes and times. Exit 1 if a budget is exceeded, a command fails, or a warning is printed. A version
// of Node that the registry does not have is skipped with the reason.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const work = mkdtempSync(join(tmpdir(), 'anode-install-'))
const at = process.argv.indexOf('--only')
const only = at < 0 ? undefined : process.argv[at + 1].split(',').map(Number)

/** MiB on the disk, as `du` counts them. */
const maxSize = 26
const maxStart = 1.15
const failures = []

/** Returns the program of a version of Node, or the reason why it is missing. */
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

/** Runs a program. Resolves with its exit code, output and seconds. */
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

/**
 * Returns the variables with which this machine reaches a registry: proxies, certificates, settings of npm.
 */
function networkSettings() {
  const wanted = /^(npm_config_registry|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => wanted.test(name)))
}

/** Installs the packed file and returns the environment in which the program runs. */
async function install(version, node, tarball) {
  const home = join(work, `home-${version}`)
  const prefix = join(work, `prefix-${version}`)
  mkdirSync(home)
  const env = {
    PATH: `${prefix}/bin:${dirname(node)}:${process.env.PATH}`,
    HOME: home,
    ...networkSettings(),
    ...{ npm_config_update_notifier: 'false', npm_config_cache: join(work, 'npm-cache') },
  }
  const words = ['install', '--global', '--prefix', prefix, tarball]
  const installed = await run('npm', words, { env, cwd: work })
  expectQuiet(`Node ${version}: npm i -g`, installed)
  const size = sizeOf(prefix)
  const seconds = installed.seconds.toFixed(1)
  console.log(`Node ${version}: ${size.toFixed(1)} MiB (at most ${maxSize}), installed in ${seconds} s`)
  if (size > maxSize) failures.push(`Node ${version}: ${size.toFixed(1)} MiB, more than ${maxSize}`)
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
    // a study prints its progress on standard error, and an empty list its message
    expectQuiet(what, result, (line) => /study|threads/.test(words[0]) && !/warning/i.test(line))
    if (!expected.test(result.stdout + result.stderr))
      failures.push(`${what}: ${result.stdout.slice(0, 200)}`)
    console.log(
      `  anode ${words.join(' ').slice(0, 40)}: exit ${result.code}, ${result.seconds.toFixed(2)} s`,
    )
  }
}

/**
 * Compares `anode --version` with `node -e 0`. Returns the ratio of the medians. Each round draws the order,
 * because the second of two starts takes longer.
 */
function compareStart(node, program, env) {
  const time = (words) => {
    const started = performance.now()
    execFileSync(node, words, { env: { PATH: env.PATH, HOME: env.HOME }, stdio: 'ignore' })
    return performance.now() - started
  }
  const times = { floor: [], ours: [] }
  const starts = [
    () => times.floor.push(time(['-e', '0'])),
    () => times.ours.push(time([program, '--version'])),
  ]
  for (let i = 0; i < 60; i++) for (const start of Math.random() < 0.5 ? starts : starts.toReversed()) start()
  const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)]
  return median(times.ours) / median(times.floor)
}

const versions = [20, 22, 24, 26].filter((version) => !only || only.includes(version))
try {
  const tarball = pack()
  const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n').length - 1
  console.log(`packed: ${(statSync(tarball).size / 2 ** 20).toFixed(1)} MiB, ${files} files`)
  for (const version of versions) {
    const { node, reason } = findNode(version)
    if (!node) {
      console.log(`Node ${version}: skipped: ${reason}`)
      continue
    }
    const own = await install(version, node, tarball)
    await tryCommands(version, own)
    const ratio = compareStart(node, own.program, own.env)
    console.log(`  anode --version: ${ratio.toFixed(2)} x node -e 0 (at most ${maxStart})`)
    if (ratio > maxStart)
      failures.push(`Node ${version}: anode --version takes ${ratio.toFixed(2)} x node -e 0`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
for (const failure of failures) console.error(`failed: ${failure}`)
process.exitCode = failures.length > 0 ? 1 : 0
