// Builds the container image, or checks its file line by line where no builder runs.
//   node test/trials/container.mjs
// The check runs each step that needs no root in an empty directory with Node 24, and tests the other steps
// against what they name. Exit 1 if a line fails.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const file = join(root, '.github', 'Dockerfile')
const work = mkdtempSync(join(tmpdir(), 'anode-container-'))

const isThere = (program, ...words) => spawnSync(program, words, { stdio: 'ignore' }).status === 0

/** Returns the instructions, with continued lines joined and comments removed. */
function instructions() {
  const text = readFileSync(file, 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? []
      if (!name) throw new Error(`not an instruction: ${line}`)
      return { name, rest }
    })
}

function build(builder) {
  execFileSync('npm', ['pack', '--loglevel=error'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  execFileSync(builder, ['build', '-f', file, '-t', 'anode-trial', root], { stdio: 'inherit' })
  const version = execFileSync(builder, ['run', '--rm', 'anode-trial', '--version'], { encoding: 'utf8' })
  const user = execFileSync(builder, ['run', '--rm', '--entrypoint', 'id', 'anode-trial', '-u'], {
    encoding: 'utf8',
  })
  console.log(`built: ${version.trim()}, user ${user.trim()}`)
  if (user.trim() === '0') throw new Error('the image runs as root')
}

/** Each check returns what it found, or throws. */
const checks = {
  FROM(image) {
    const [, major] = /^node:(\d+)-slim$/.exec(image) ?? []
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    if (!major || Number(major) < Number.parseInt(engines.node.slice(2), 10))
      throw new Error(`old base: ${image}`)
    return `Node ${major} satisfies ${engines.node}`
  },
  RUN(command) {
    return command
      .split(' && ')
      .map((part) => runPart(part.trim()))
      .join('; ')
  },
  COPY(words) {
    const pattern = words.split(' ')[0].replace('*', '.*')
    execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', work], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const packed = readdirSync(work).find((name) => new RegExp(`^${pattern}$`).test(name))
    if (!packed) throw new Error(`npm pack writes no file like ${pattern}`)
    return `npm pack writes ${packed}`
  },
  USER(name) {
    if (name === 'root' || name === '0') throw new Error('the image would run as root')
    return 'an account without privileges'
  },
  ENV: (words) => words,
  VOLUME: (words) => words,
  WORKDIR: (words) => words,
  ENTRYPOINT(words) {
    if (JSON.parse(words)[0] !== 'anode') throw new Error('another program')
    return 'the installed program'
  },
}

let program

function runPart(part) {
  const words = part.split(/\s+/)
  if (part.startsWith('apt-get install')) {
    const names = words.slice(2).filter((word) => !word.startsWith('-'))
    const missing = isThere('apt-cache', '--version')
      ? names.filter((name) => !isThere('apt-cache', 'show', name))
      : []
    if (missing.length > 0) throw new Error(`Debian has no package ${missing.join(', ')}`)
    return `${names.length} packages exist`
  }
  if (part.startsWith('npm install')) {
    const node = join(work, 'node')
    mkdirSync(node)
    execFileSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefix', node, `node-${process.platform}-${process.arch}@24`],
      { stdio: 'ignore' },
    )
    const bin = join(node, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin')
    const packed = readdirSync(work).find((name) => name.endsWith('.tgz'))
    const env = {
      ...process.env,
      PATH: `${bin}:${process.env.PATH}`,
      HOME: work,
      npm_config_prefix: join(work, 'own'),
    }
    const args = words.slice(1).map((word) => (word.startsWith('/tmp/') ? join(work, packed) : word))
    execFileSync('npm', args, { env, cwd: work, stdio: ['ignore', 'ignore', 'inherit'] })
    program = { file: join(work, 'own', 'bin', 'anode'), env }
    return 'installed'
  }
  if (words[0] === 'anode')
    return execFileSync(program.file, words.slice(1), { env: program.env, encoding: 'utf8' }).trim()
  if (words[0] === 'git') {
    execFileSync(
      'git',
      words.slice(1).map((word) => (word === '--system' ? '--global' : word)),
      { env: { PATH: process.env.PATH, HOME: work } },
    )
    return 'git takes the setting'
  }
  if (!['apt-get', 'rm', 'mkdir', 'chown'].includes(words[0])) throw new Error(`unknown step: ${part}`)
  return words[0]
}

try {
  const builder = ['docker', 'podman'].find((name) => isThere(name, 'info'))
  if (builder) build(builder)
  else {
    console.log('neither docker nor podman runs here: checking line by line')
    for (const { name, rest } of instructions()) {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined
      if (!check) throw new Error(`unknown instruction: ${name}`)
      console.log(`${name} ${rest.slice(0, 60)}: ${check(rest)}`)
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
