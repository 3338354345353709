// A small world to escape from: a home with secrets, a workspace, an outside directory, a process, and
// commands that try to escape.
import { type ChildProcess, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRunner, type ProcessRunner } from '../../internal/process/run-command.ts'
import { openSessionSandbox } from '../../internal/runtime/processes/session-sandbox.ts'
import { git } from './repo.ts'

/** Commands that print ESCAPED if they escape. `$OUT` is an outside directory, `$PID` an outside process. */
export const escapes: Readonly<Record<string, string>> = {
  'a path': 'echo x > "$OUT/new" && echo ESCAPED',
  'a system path': 'echo x > /etc/anode-escape && echo ESCAPED',
  'a link': 'ln -s "$OUT" l1 && echo x > l1/new && echo ESCAPED',
  'a link that stood there': 'echo x > planted/new && echo ESCAPED',
  'a hard link': 'ln "$OUT/file" h1 && echo new > h1 && echo ESCAPED',
  'the root of another process': 'for p in /proc/[0-9]*; do echo x > "$p/root$OUT/new" && echo ESCAPED; done',
  'the folder of process 1': 'ls "/proc/1/root/$OUT/file" && echo ESCAPED',
  'descriptors left open':
    'for f in /proc/self/fd/*; do n=$(basename $f); [ $n -gt 2 ] && readlink $f | grep -v "^/proc\\|pipe" && echo ESCAPED; done',
  'a secret at home': 'grep hidden ~/.ssh/id_rsa && echo ESCAPED',
  'a secret in the workspace': 'grep -r hidden .env && echo ESCAPED',
  'a secret by another process':
    'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep hidden-value && echo ESCAPED',
  TCP: 'exec 3<>/dev/tcp/127.0.0.1/$PORT && echo ESCAPED',
  UDP: "node -e \"const s=require('dgram').createSocket('udp4');s.on('message',()=>console.log('ESCAPED'));s.send('x',$PORT,'127.0.0.1',(e)=>{setTimeout(()=>s.close(),50)})\"",
  'a unix socket':
    "node -e \"require('net').connect('$OUT/s').on('connect',()=>{console.log('ESCAPED');process.exit()}).on('error',()=>{})\"",
  DNS: 'getent hosts example.com && echo ESCAPED',
  kill: 'kill -0 $PID && echo ESCAPED',
  'sight of processes': 'ls /proc | grep -qx $PID && echo ESCAPED',
  ptrace: 'cat /proc/$PID/mem && echo ESCAPED; strace -p $PID 2>/dev/null && echo ESCAPED',
  TIOCSTI: 'perl -e \'open(F,"+<","/dev/tty") and ioctl(F,0x5412,my $x="x") and print "ESCAPED"\'',
  mount: 'mount -t tmpfs none "$OUT" && echo ESCAPED; mount -o remount,rw / && echo ESCAPED',
  namespaces: 'unshare -Ur mount -t tmpfs none /mnt && echo ESCAPED',
  device: 'mknod d1 b 8 0 && echo ESCAPED',
  // Opened, never written, because a successful write would affect the whole machine.
  'kernel settings': '( exec 9>>/proc/sys/kernel/core_pattern ) && echo ESCAPED',
  hooks: 'echo "echo x" > .git/hooks/pre-commit && echo ESCAPED',
  'settings of git': 'git config core.fsmonitor x && echo ESCAPED; mv .git g && echo ESCAPED',
  history:
    'git commit --allow-empty -qm x && echo ESCAPED; [ -d .git/objects ] && rm -rf .git/objects && echo ESCAPED',
  CI: 'echo x > .github/workflows/ci.yml && echo ESCAPED; mv .github g && echo ESCAPED',
  'the data of Anode': '( ls "$DATA/run" || ls "$DATA/sandbox.json" ) && echo ESCAPED',
}

export interface EscapeGround {
  root: string
  home: string
  work: string
  outside: string
  env: { PATH: string | undefined; HOME: string }
  runner: ProcessRunner
  /** Whether a sandbox works here. */
  active: boolean
  bystander: ChildProcess
  /** Assignments that the commands need. */
  variables: string
  /** Returns the changed files outside of the workspace; empty if nothing escaped. */
  damage(): string[]
  close(): Promise<void>
}

/** Creates the world and uses its home as the home of this process until it is closed. */
export async function openEscapeGround(): Promise<EscapeGround> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anode-wall-')))
  const [home, outside] = [join(root, 'home'), join(root, 'outside')]
  const work = join(home, 'work')
  const env = { PATH: process.env.PATH, HOME: home }
  const before = process.env.HOME
  process.env.HOME = home
  for (const dir of [join(home, '.ssh'), outside, join(work, 'kept')]) mkdirSync(dir, { recursive: true })
  mkdirSync(join(work, '.github', 'workflows'), { recursive: true })
  const files = { 'a.txt': 'one\n', '.env': 'KEY=hidden-value\n', '.github/workflows/ci.yml': 'on: push\n' }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text)
  git(work, 'init', '-q')
  git(work, 'add', 'a.txt')
  git(work, 'commit', '-qm', 'first')
  writeFileSync(join(home, '.ssh', 'id_rsa'), 'hidden-value')
  writeFileSync(join(outside, 'file'), 'old')
  const data = join(root, 'data')
  const probe = createRunner({ dataDir: data, env })
  const sandboxes = await openSessionSandbox('auto', { data, env, run: probe.run })
  if (!sandboxes.active)
    console.log(`no sandbox can be built here, their tests are skipped: ${sandboxes.notice()}`)
  const runner = createRunner({ dataDir: data, env, sandbox: sandboxes.enter })
  await probe.close()
  const bystander = spawn('sleep', ['60'])
  const server = createServer((socket) => socket.end())
  const near = createServer((socket) => socket.end())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  await new Promise<void>((done) => near.listen(join(outside, 's'), done))
  const { port } = server.address() as { port: number }
  const head = () => git(work, 'log', '--oneline').split('\n').filter(Boolean).length
  return {
    ...{ root, home, work, outside, env, runner, active: sandboxes.active, bystander },
    variables: `OUT='${outside}' PID=${bystander.pid} PORT=${port} DATA='${data}'`,
    damage: () => [
      ...readdirSync(outside).filter((name) => !['s', 'file'].includes(name)),
      ...(readFileSync(join(outside, 'file'), 'utf8') === 'old' ? [] : ['outside/file']),
      ...(bystander.exitCode === null && bystander.signalCode === null ? [] : ['the bystander']),
      ...(head() === 1 ? [] : ['history']),
    ],
    async close() {
      bystander.kill('SIGKILL')
      for (const one of [server, near]) await new Promise((done) => (one as Server).close(done))
      await runner.close()
      process.env.HOME = before
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Returns a program that tries all commands and writes their results to a file. `then` runs afterwards. */
export function escapeProgram(ground: EscapeGround, file: string, then = ''): string {
  const lines = Object.entries(escapes).map(([name, line]) => `( ${line} ); echo "TRIED ${name}"`)
  const report = `${file}.part`
  return (
    `#!/bin/bash\n${ground.variables}\n{\n${lines.join('\n')}\n} >"${report}" 2>&1 </dev/null\n` +
    `mv "${report}" "${file}"\n${then}\n`
  )
}

/**
 * Returns the survived and tried counts of such a program. Throws an error with the commands that escaped.
 */
export function readEscapes(text: string): string {
  const tried = text.split('TRIED ').length - 1
  const escaped = text.split('\n').filter((line) => line.includes('ESCAPED'))
  if (escaped.length > 0 || tried !== Object.keys(escapes).length)
    throw new Error(`tried ${tried}, escaped: ${text}`)
  return `${tried}/${tried}`
}
