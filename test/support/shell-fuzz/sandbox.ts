// A runner of many commands in one process tree without network, in a separate namespace if the
// machine supports it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Canaries } from './canaries.ts'

/** A shell and the programs behind its bare names. */
export type Setting = 'bash' | 'dash' | 'busybox' | 'mawk'

export interface LineToRun {
  text: string
  /** Shell text that sets variables before it, or nothing. */
  variables: string
}

export interface Outcome {
  /** The output of each command, in their order. */
  outputs: string[]
  /** The number of the command and the name of the program, for each recorded start. */
  starts: { line: number; program: string }[]
}

const programs: Readonly<Record<Setting, string>> = {
  bash: 'bash',
  dash: 'dash',
  busybox: 'busybox',
  mawk: 'mawk',
}

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

/** Returns the settings that this machine can try. The caller reports the missing ones. */
export const settings = (): Setting[] =>
  (Object.keys(programs) as Setting[]).filter((one) => has(programs[one]))

let sandboxes: readonly string[] | undefined

/** Returns the program, with arguments, that isolates a command from the machine; empty if it is missing. */
function protection(): readonly string[] {
  const tried = [
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--unshare-all',
    '--die-with-parent',
  ]
  if (sandboxes === undefined)
    sandboxes = spawnSync('bwrap', [...tried, 'true']).status === 0 ? ['bwrap', ...tried] : []
  return sandboxes
}

export const isProtected = (): boolean => protection().length > 0

// Every command gets a separate process group, which a watchdog ends if it still exists at its second check.
const driver = `
export -n IN OUT WS SH VARS
set -m
ulimit -f 1024 -c 0 -v 6000000 2>/dev/null
last=; while sleep 1; do
  now=$(<"$OUT/current")
  [ "$now" != "$last" ] || kill -KILL -- "-$now"
  last=$now
done 2>/dev/null &
groups=$!
for file in "$IN"/*; do
  export FUZZ_LINE="\${file##*/}"
  IFS= read -r -d '' line < "$file"
  cd "$WS" || exit 1
  ( [ ! -e "$VARS/$FUZZ_LINE" ] || . "$VARS/$FUZZ_LINE"; exec "$SH" -c "$line" ) </dev/null >"$OUT/$FUZZ_LINE" 2>&1 &
  groups="$groups $!"
  echo $! > "$OUT/current"
  wait $!
done 2>/dev/null
sleep 0.1
for group in $groups; do kill -KILL -- "-$group"; done 2>/dev/null
`

/** Runs the commands in sequence, each in a new shell in the workspace, with its variables. */
export async function runLines(
  lines: readonly LineToRun[],
  setting: Setting,
  at: Canaries,
): Promise<Outcome> {
  const input = join(at.base, 'in')
  const output = join(at.base, 'out')
  const variables = join(at.base, 'variables')
  for (const dir of [input, output, variables]) {
    rmSync(dir, { recursive: true, force: true })
    mkdirSync(dir)
  }
  const name = (i: number) => `${i}`.padStart(6, '0')
  for (const [i, line] of lines.entries()) {
    writeFileSync(join(input, name(i)), line.text)
    if (line.variables !== '') writeFileSync(join(variables, name(i)), line.variables)
  }
  await run(setting, at, input, output, lines.length)
  const outputs = lines.map((_, i) => read(join(output, name(i))))
  const starts = read(join(at.root, 'record/started'))
    .split('\n')
    .filter(Boolean)
    .map((text) => {
      const [line = '', ...program] = text.split(' ')
      return { line: /^\d+$/.test(line) ? Number(line) : -1, program: program.join(' ') }
    })
  return { outputs, starts }
}

const read = (path: string): string => {
  const found = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  return found.toString('latin1')
}

function run(setting: Setting, at: Canaries, input: string, output: string, count: number): Promise<void> {
  const [program = 'bash', ...rest] = [...sandboxed(at), 'bash', '--norc', '-c', driver]
  const child = spawn(program, rest, {
    cwd: at.base,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...environment(setting, at), IN: input, OUT: output, VARS: join(at.base, 'variables') },
  })
  const end = () => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL')
    } catch {
      // the group has ended
    }
  }
  const timer = setTimeout(end, (3 * count + 20) * 1_000)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.stderr.resume()
    child.on('close', () => {
      clearTimeout(timer)
      end()
      resolve()
    })
  })
}

function sandboxed(at: Canaries): string[] {
  const sandboxes = protection()
  return sandboxes.length === 0
    ? []
    : [...sandboxes, '--bind', join(at.root, 'tmp'), '/tmp', '--bind', at.base, at.base, '--']
}

function environment(setting: Setting, at: Canaries): Record<string, string> {
  const path = [
    join(at.root, 'bin'),
    join(at.base, 'programs'),
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
    '/usr/sbin',
    '/sbin',
  ]
  if (setting === 'busybox') path.splice(1, 0, busyboxDir(at))
  if (setting === 'mawk') path.splice(1, 0, mawkDir(at))
  return {
    ...{
      PATH: path.join(':'),
      HOME: at.home,
      TMPDIR: join(at.root, 'tmp'),
      LC_ALL: 'C.UTF-8',
      TERM: 'dumb',
      USER: 'x',
    },
    ...{
      WS: at.workspace,
      SH: setting === 'dash' ? 'dash' : 'bash',
      API_TOKEN: 'MARK-c0ffee',
      OLDPWD: at.root,
    },
  }
}

function busyboxDir(at: Canaries): string {
  const dir = join(at.base, 'busybox')
  if (readdirSync(dir).length > 0) return dir
  const program = spawnSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).stdout.trim()
  for (const name of spawnSync(program, ['--list'], { encoding: 'utf8' }).stdout.trim().split('\n')) {
    // env and timeout belong to the driver
    if (!/^(?:bash|sh|ash)$/.test(name)) symlinkSync(program, join(dir, name))
  }
  return dir
}

function mawkDir(at: Canaries): string {
  const dir = join(at.base, 'mawk')
  if (existsSync(dir)) return dir
  mkdirSync(dir)
  const program = spawnSync('sh', ['-c', 'command -v mawk'], { encoding: 'utf8' }).stdout.trim()
  symlinkSync(program, join(dir, 'awk'))
  return dir
}
