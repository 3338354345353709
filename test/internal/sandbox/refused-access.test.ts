// Access that a sandbox denied, detected in the output of programs: real messages of real programs.
import { expect, test } from 'vitest'
import { readRefusals } from '../../../internal/sandbox/refused-access.ts'

const read = (errors: string, over: Partial<Parameters<typeof readRefusals>[1]> = {}) =>
  readRefusals(
    { errors },
    { cwd: '/w', hidden: ['/home/me', '/media'], closed: ['/media'], decisions: [], made: [], ...over },
  )

test.each<[string, string[]]>([
  ['bash: line 1: /etc/x: Read-only file system\n', ['EROFS /etc/x']],
  ["touch: cannot touch '/etc/a b': Read-only file system\n", ['EROFS /etc/a b']],
  ["Error: EROFS: read-only file system, open '/home/me/.npmrc'\n", ['EROFS /home/me/.npmrc']],
  ["OSError: [Errno 30] Read-only file system: '/srv/y'\n", ['EROFS /srv/y']],
  ["rm: cannot remove '.git/config': Device or resource busy\n", ['EROFS /w/.git/config']],
  ['cat: /home/me/.ssh/id_rsa: No such file or directory\n', ['hidden: /home/me/.ssh/id_rsa']],
  ["touch: cannot touch '/media/x': Permission denied\n", ['EROFS /media/x']],
  ['mkdir: cannot create directory ‘/media/x’: Permission denied\n', ['EROFS /media/x']],
  ['mkdir: cannot create directory ‘/root/x’: Read-only file system\n', ['EROFS /root/x']],
  ["mkdir: cannot create directory '/media': File exists\n", []],
  ["touch: cannot touch '/home/me/w/.husky': Permission denied\n", []],
  ["touch: cannot touch '/srv/x': Permission denied\n", []],
  ['cat: /w/none: No such file or directory\n', []],
  ['curl: (6) Could not resolve host: registry.example\n', ['network: registry.example not granted']],
  ['Error: getaddrinfo EAI_AGAIN registry.npmjs.org\n', ['network: registry.npmjs.org not granted']],
  [
    "curl: (7) Failed to connect to 1.1.1.1 port 80 after 0 ms: Couldn't connect to server\n",
    ['network: 1.1.1.1:80 not granted'],
  ],
  ['ssh: Temporary failure in name resolution\n', ['network: no host is granted']],
  ['all is well\n', []],
])('reads refused accesses from %j', (errors, said) => {
  expect(read(errors)).toEqual(said)
})

test('decisions of the proxy count more than messages of programs', () => {
  const decisions = [
    { place: 'a.example:443' },
    { place: 'b.example:443', refused: 'not granted' },
    { place: 'c.example:80', refused: 'c.example leads to 10.0.0.1, which is a private address' },
  ]
  expect(read('curl: (6) Could not resolve host: a.example', { decisions })).toEqual([
    'network: b.example:443: not granted',
    'network: c.example:80: c.example leads to 10.0.0.1, which is a private address',
  ])
})

test('counts many paths, lists each once, and sorts protected paths last', () => {
  const errors = Array.from({ length: 8 }, (_, i) => `x: /etc/${i % 7}: Read-only file system`).join('\n')
  const said = read(errors, { made: ['/w/.husky, now .husky.refused'] })
  expect(said).toHaveLength(7)
  expect(said.at(-2)).toBe('2 more of this kind')
  expect(said.at(-1)).toBe('/w/.husky, now .husky.refused')
})

/** Messages of programs without a network, and the host in each. */
const offline: readonly (readonly [text: string, host: string])[] = [
  ['npm ERR! request to https://H/left-pad failed, reason: getaddrinfo EAI_AGAIN H', 'H'],
  [
    "WARNING: Retrying after connection broken by 'NameResolutionError(\"HTTPSConnection(host='H', port=443): x\")'",
    'H',
  ],
  ["ERROR: HTTPSConnectionPool(host='H', port=443): Max retries exceeded with url: /simple/", 'H'],
  ['  [6] Could not resolve hostname (Could not resolve host: H)', 'H'],
  [
    'go: module x: Get "https://H/x": dial tcp: lookup H on 10.0.0.1:53: dial udp: network is unreachable',
    'H',
  ],
  ["fatal: unable to access 'https://me@H/x.git/': Could not resolve host: H", 'H'],
  ['ssh: Could not resolve hostname H: Temporary failure in name resolution', 'H'],
  ["wget: unable to resolve host address 'H'", 'H'],
]
const hosts = ['registry.npmjs.org', 'pypi.org', 'index.crates.io', 'proxy.golang.org', 'git.example.org']

test.each(offline.flatMap(([text]) => hosts.map((host) => [text.replace(/\bH\b/g, host), host])))(
  '%s',
  (text, host) => {
    const expected = [`network: ${host} not granted`]
    const context = { cwd: '/w', hidden: [], decisions: [], made: [] }
    expect(readRefusals({ errors: text }, context)).toEqual(expected)
    // on standard output the message counts only with a rejected connection or a failed command
    const printed = { errors: '', output: text }
    expect(readRefusals(printed, { ...context, connections: 1 })).toEqual(expected)
    expect(readRefusals(printed, { ...context, failed: true })).toEqual(expected)
    expect(readRefusals(printed, { ...context, connections: 0 })).toEqual([])
  },
)

const notReached =
  '127.0.0.1:8124: only servers of this command and of running background jobs can be reached'

/** Messages of programs when a server on this machine rejects the connection. */
const refusing = [
  "curl: (7) Failed to connect to 127.0.0.1 port 8124 after 0 ms: Couldn't connect to server",
  'Error: connect ECONNREFUSED 127.0.0.1:8124',
  'dial tcp 127.0.0.1:8124: connect: connection refused',
  'Connecting to 127.0.0.1:8124... failed: Connection refused.',
] as const

test.for(refusing)('a rejecting server on this machine gets a separate hint: %s', (errors) => {
  const servers = { isShared: false }
  expect(read(errors, { failed: true, servers })).toEqual([notReached])
  expect(read(errors, { failed: true, servers: { isShared: true } })).toEqual([])
  expect(read(errors, { failed: false, servers })).toEqual([])
  expect(read(errors, { failed: true, servers: { ...servers, apartBy: 'nsenter is missing' } })).toEqual([
    '127.0.0.1:8124: cannot connect to servers of background jobs here: nsenter is missing',
  ])
})

test('describes a rejecting server without a port in general', () => {
  expect(
    read('ConnectionRefusedError: [Errno 111] Connection refused', {
      failed: true,
      servers: { isShared: false },
    }),
  ).toEqual([
    'a server of this machine: only servers of this command and of running background jobs can be reached',
  ])
})
