// Refused connections, counted by the kernel: for every program, also where it prints nothing.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SandboxRequest } from '../../../internal/process/process-command.ts'
import { type EscapeGround, openEscapeGround } from '../../support/escapes.ts'

let ground: EscapeGround
beforeAll(async () => {
  ground = await openEscapeGround()
})
afterAll(() => ground.close())

const request = (): SandboxRequest => ({
  ...{ kind: 'workspace', folders: [ground.work], protected: [], network: [], write: [], revealed: [] },
  ...{ opened: [], history: false },
})
const bash = (line: string) =>
  ground.runner.run({
    // programs of the system first: those of a user's tool chain may need files of another home
    ...{
      file: 'bash',
      args: ['-c', `PATH=/usr/bin:/bin:$PATH\n${line}`],
      cwd: ground.work,
      timeoutMs: 60_000,
      sandbox: request(),
    },
  })

const host = 'registry.invalid-name.example'
const makeCrate =
  'mkdir -p c/src && cd c && touch src/lib.rs && ' +
  String.raw`printf '[package]\nname="c"\nversion="0.1.0"\n[dependencies]\nleft="1"\n' >Cargo.toml`
const programs = Object.entries({
  curl: `curl -sS https://${host}/x`,
  wget: `wget -q -t 1 -O - https://${host}/x`,
  git: `git ls-remote https://${host}/x.git`,
  npm: `npm view left-pad --registry https://${host}/ --fetch-retries 0`,
  pip: `pip download --no-input --retries 0 --no-cache-dir -i https://${host}/simple left-pad`,
  cargo: `${makeCrate} && CARGO_HOME=$TMPDIR/cargo CARGO_NET_RETRY=0 cargo fetch`,
  go: `mkdir -p g && cd g && echo 'module g' >go.mod && GOPROXY=https://${host} go get x.example/y@v1.0.0`,
  node: `node -e 'fetch("https://${host}/x").catch((e) => { console.log(e.cause.message); process.exit(1) })'`,
  python3: `python3 -c 'import urllib.request as u; u.urlopen("https://${host}/x")'`,
})

/**
 * Returns what was refused to a line. A line that ends before this process has opened the tables of the kernel
 * is not counted, which a busy machine makes possible: it runs again, at most twice.
 */
async function refusedBy(line: string): Promise<string> {
  let refused = ''
  for (let run = 0; run < 3 && refused === ''; run++) {
    const { sandbox } = await bash(line)
    refused = sandbox?.refused.join() ?? ''
  }
  return refused
}

/** How a line shows, shortens or hides what the program prints. */
const forms: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `(${line}) 2>&1 | tail -5`,
  (line) => `(${line}) >/dev/null 2>&1; true`,
]

const rows = programs.flatMap(([name, line]) => forms.map((form) => ({ name, line: form(line) })))

test.for(rows)('$name: $line', { timeout: 60_000 }, async ({ name, line }, { skip }) => {
  if (!ground.active) return skip('no sandbox on this machine')
  if ((await bash(`${name} --version || ${name} version`)).exit !== 0) return skip(`no ${name} here`)
  expect(await refusedBy(line)).toMatch(/^network: (?:\S+|no host is) (?:not )?granted/)
})

test.for([
  'true',
  'seq 100',
  'sleep 0.1; echo "Could not resolve host: a.example"',
  'python3 -c "import socket; socket.create_server((\'127.0.0.1\', 0)).close()"',
  'curl -s http://127.0.0.1:9/; true',
  'curl -sS http://127.0.0.1:9/; true',
])('nothing is refused to %j', async (line, { skip }) => {
  if (!ground.active) return skip('no sandbox on this machine')
  const { sandbox } = await bash(line)
  expect(sandbox?.refused).toEqual([])
})
