// What a sandbox shows, hides and leaves writable: tables of requests and the mounts they lead to.
import { expect, test } from 'vitest'
import type { SandboxRequest } from '../../../internal/process/process-command.ts'
import { readSandboxEnd, wrapInBubblewrap } from '../../../internal/sandbox/bubblewrap.ts'
import {
  type FolderPlaces,
  type MachinePlaces,
  mountEach,
  planMounts,
  type SandboxMount,
} from '../../../internal/sandbox/sandbox-mounts.ts'
import { seatbeltProfile, wrapInSeatbelt } from '../../../internal/sandbox/seatbelt.ts'

const machine: MachinePlaces = {
  homes: ['/home/me', '/root'],
  runtime: ['/run'],
  tools: ['/home/me/.npm', '/home/me/.cargo'],
  toolSecrets: ['/home/me/.cargo/credentials.toml'],
  temporary: ['/tmp'],
  closed: [],
  closedFiles: [],
  open: [],
  own: ['/home/me/.local/share/anode', '/srv/anode'],
}
const places: FolderPlaces = {
  guarded: ['/home/me/p/.git/hooks', '/home/me/p/.git/config', '/home/me/p/.github'],
  secretFiles: ['/home/me/p/.env', '/home/me/p/a/key.pem'],
  secretFolders: ['/home/me/p/.aws'],
  repositories: [],
  histories: ['/home/me/p/.git', '/home/me/p/.git/worktrees/x'],
}
const request: SandboxRequest = {
  kind: 'workspace',
  folders: ['/home/me/p'],
  protected: ['/home/me/p/kept'],
  network: [],
  write: [],
  revealed: [],
  opened: [],
  history: false,
}
const lines = (asked: Partial<SandboxRequest>, found: Partial<FolderPlaces> = {}) =>
  planMounts({ ...request, ...asked }, machine, { ...places, ...found }, '/data/tmp').map((mount) =>
    [mount.kind, mount.path, ...('source' in mount ? [mount.source] : [])].join(' '),
  )

test('mounts the workspace over hidden homes, and sensitive paths over the workspace', () => {
  const laid = lines({})
  expect(laid.toSorted()).toEqual(
    [
      ...['empty /run', 'private /tmp /data/tmp', 'empty /home/me', 'empty /root', 'empty /srv/anode'],
      ...['read /home/me/.npm', 'read /home/me/.cargo', 'mask /home/me/.cargo/credentials.toml'],
      ...['write /home/me/p', 'read /home/me/p/.github', 'read /home/me/p/.git', 'read /home/me/p/kept'],
      ...['empty /home/me/p/.aws', 'mask /home/me/p/.env', 'mask /home/me/p/a/key.pem'],
      ...['seal /run', 'seal /home/me', 'seal /root', 'seal /home/me/p/.aws'],
    ].toSorted(),
  )
  const depths = laid.filter((line) => !line.startsWith('seal ')).map((line) => line.split(/\/[^ /]/).length)
  expect(laid.at(-4)).toMatch(/^seal /)
  expect(depths.filter((_, i) => !laid[i]?.startsWith('private'))).toEqual(
    depths.filter((_, i) => !laid[i]?.startsWith('private')).toSorted((a, b) => a - b),
  )
})

// workspaces are found in any directory, such as /srv/site, /data/x, /mnt/c/Users/me or /opt/app
test.each(['/srv', '/opt', '/mnt/c/Users', '/data'])(
  'opens the workspace below %s, a closed directory',
  (top) => {
    const work = `${top}/work`
    const closed = { ...machine, closed: [`/${top.split('/')[1]}`] }
    const revealed = [`${work}/a.txt`, `${work}/src/b.txt`, `${top}/granted/c`, `${top}/other`]
    const asked = { ...request, folders: [work], protected: [], write: [`${top}/granted`], revealed }
    const laid = planMounts(asked, closed, { ...places, guarded: [], histories: [] }, '/data/tmp')
    const at = (path: string) => laid.filter((mount) => mount.path === path).map(({ kind }) => kind)
    // what the command names stays writable where it may write, and can be read elsewhere
    expect(revealed.map(at)).toEqual([[], [], [], ['read']])
    expect([at(work), at(`${top}/granted`)]).toEqual([['write'], ['write']])
  },
)

/** What a path is in the end, by the last layer that covers it. */
const stateOf = (path: string, asked: Partial<SandboxRequest>, found: Partial<FolderPlaces> = {}) =>
  planMounts({ ...request, ...asked }, machine, { ...places, ...found }, '/data/tmp').findLast(
    (mount) =>
      mount.kind !== 'seal' &&
      (mount.path === path || path.startsWith(mount.path === '/' ? '/' : `${mount.path}/`)),
  )?.kind ?? 'as it is'

test.each<[string, Partial<SandboxRequest>, Record<string, string>]>([
  [
    'a folder that holds the home',
    { folders: ['/home/me/p', '/home'] },
    { '/home/x': 'write', '/home/me/x': 'empty', '/home/me/p/x': 'write', '/home/me/.npm/x': 'read' },
  ],
  [
    'the root',
    { folders: ['/'] },
    {
      '/opt': 'write',
      '/run/s': 'empty',
      '/tmp/x': 'private',
      '/home/me/x': 'empty',
      '/srv/anode/x': 'empty',
    },
  ],
  [
    'a folder with own files of Anode',
    { folders: ['/home/me/p', '/srv'] },
    { '/srv/x': 'write', '/srv/anode/x': 'empty' },
  ],
  ['a grant that holds the home', { write: ['/home'] }, { '/home/x': 'write', '/home/me/x': 'empty' }],
  [
    'a protected folder that holds the workspace and the home',
    { protected: ['/home'] },
    { '/home/x': 'read', '/home/me/x': 'empty', '/home/me/p/x': 'read' },
  ],
  ['a protected folder of a hidden home', { protected: ['/home/me/kept'] }, { '/home/me/kept': 'empty' }],
])('%s shows and locks no more than it says', (_, asked, states) => {
  const paths = Object.keys(states)
  expect(Object.fromEntries(paths.map((path) => [path, stateOf(path, asked)]))).toEqual(states)
})

test('sensitive and secret paths in a hidden directory stay hidden', () => {
  const found = {
    guarded: ['/home/me/.bashrc', '/srv/anode/.git/hooks', '/srv/x/.github'],
    secretFolders: ['/home/me/.ssh', '/srv/.aws', '/srv/.aws/.ssh'],
    secretFiles: ['/home/me/.env', '/srv/.env'],
    histories: ['/home/me/q/.git'],
  }
  const laid = lines({ folders: ['/home', '/srv'] }, found)
  expect(laid).toEqual(expect.arrayContaining(['read /srv/x/.github', 'empty /srv/.aws', 'mask /srv/.env']))
  expect(
    laid.filter((line) => /^(?:read|mask|write) \/(?:home\/me|srv\/anode)\/(?!\.npm|\.cargo)/.test(line)),
  ).toEqual([])
})

test('an empty directory is locked at the end only if no other mount covers it', () => {
  const all = [
    '/',
    '/home',
    '/home/me',
    '/home/me/p',
    '/run',
    '/run/x',
    '/srv',
    '/srv/anode',
    '/tmp',
    '/tmp/x',
  ]
  for (let seed = 1; seed <= 500; seed++) {
    const pick = (shift: number) => all.filter((_, i) => ((seed * 2654435761) >>> (shift + i)) % 3 === 0)
    const asked = { folders: pick(1), write: pick(5), protected: pick(9) }
    const laid = planMounts({ ...request, ...asked }, machine, places, '/data/tmp')
    for (const [i, { kind, path }] of laid.entries()) {
      if (kind !== 'seal') continue
      const at = laid.findIndex((one) => one.kind === 'empty' && one.path === path)
      const above = laid
        .slice(at + 1, i)
        .filter(
          (one) => one.kind !== 'seal' && `${path}/`.startsWith(one.path === '/' ? '/' : `${one.path}/`),
        )
      expect([seed, path, at >= 0, above]).toEqual([seed, path, true, []])
    }
  }
})

const cases: [string, Partial<SandboxRequest>, Partial<FolderPlaces>, string[], string[]][] = [
  ['read writes nothing', { kind: 'read' }, {}, ['read /home/me/p'], ['write /home/me/p']],
  ['a server reads the workspace', { kind: 'server' }, {}, ['read /home/me/p'], ['write /home/me/p']],
  ['a measured command writes its checkout', { kind: 'measure' }, {}, ['write /home/me/p'], []],
  ['history by leave', { history: true }, {}, ['read /home/me/p/.git/hooks'], ['read /home/me/p/.git']],
  ['a granted place', { write: ['/srv/out'] }, {}, ['write /srv/out'], []],
  [
    'a secret by leave',
    { revealed: ['/home/me/p/.env'] },
    {},
    ['mask /home/me/p/a/key.pem'],
    ['mask /home/me/p/.env'],
  ],
  [
    'a file below a secret folder by leave',
    { revealed: ['/home/me/p/.aws/config'] },
    {},
    [],
    ['empty /home/me/p/.aws', 'seal /home/me/p/.aws'],
  ],
  [
    'a home that is the workspace is no empty folder, and Anode in it stays hidden',
    { folders: ['/home/me'] },
    {},
    ['write /home/me', 'empty /home/me/.local/share/anode', 'empty /root'],
    ['empty /home/me', 'seal /home/me'],
  ],
  [
    'a checkout whose repository lies elsewhere',
    {},
    { repositories: ['/home/me/big/.git'] },
    ['read /home/me/big/.git'],
    ['write /home/me/big/.git'],
  ],
  [
    'the same by leave',
    { history: true },
    { repositories: ['/home/me/big/.git'] },
    ['write /home/me/big/.git'],
    [],
  ],
]
test.each(cases)('plans the mounts for %s', (_, asked, found, has, lacks) => {
  const got = lines(asked, found)
  expect(got).toEqual(expect.arrayContaining(has))
  for (const line of lacks) expect(got).not.toContain(line)
})

const plan = { file: 'bash', args: ['-c', 'make "a b"'], cwd: '/home/me/p', env: { PATH: '/bin' } }

test('passes arguments to bubblewrap in order, and does not change the command', () => {
  const program = { path: '/usr/bin/bwrap', locksNamespaces: true }
  const mounts: SandboxMount[] = [
    { kind: 'empty', path: '/home' },
    { kind: 'private', path: '/tmp', source: '/data/tmp' },
    { kind: 'write', path: '/home/me/p' },
    { kind: 'mask', path: '/home/me/p/.env' },
    { kind: 'read', path: '/home/me/p/.git' },
    { kind: 'seal', path: '/home' },
  ]
  const wrapped = wrapInBubblewrap(program, plan, mounts, { ownsKernelSettings: true })
  expect(wrapped).toEqual({
    file: '/usr/bin/bwrap',
    cwd: '/',
    env: plan.env,
    args: (
      '--unshare-user --unshare-pid --unshare-ipc --unshare-net --unshare-uts --disable-userns --die-with-parent ' +
      '--new-session --cap-drop ALL --json-status-fd 3 --ro-bind / / --dev /dev --proc /proc ' +
      '--ro-bind-try /proc/sys /proc/sys --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger ' +
      '--ro-bind-try /proc/fs /proc/fs --tmpfs /home ' +
      '--bind /data/tmp /tmp --bind /home/me/p /home/me/p --ro-bind /dev/null /home/me/p/.env ' +
      '--ro-bind-try /home/me/p/.git /home/me/p/.git --remount-ro /home --chdir /home/me/p -- bash -c'
    )
      .split(' ')
      .concat('make "a b"'),
  })
  const others = wrapInBubblewrap(program, plan, mounts, { ownsKernelSettings: false })
  expect(others.args.filter((word) => word.startsWith('/proc'))).toEqual(['/proc'])
  const older = wrapInBubblewrap({ path: 'bwrap', locksNamespaces: false }, plan, [])
  expect(older.args).not.toContain('--disable-userns')
  const joined = wrapInBubblewrap({ path: 'bwrap', locksNamespaces: false }, plan, [], {
    entry: ['nsenter', '--net=/n', '--'],
  })
  const own = older.args.filter((word) => word !== '--unshare-net')
  expect(joined).toEqual({ ...older, file: 'nsenter', args: ['--net=/n', '--', 'bwrap', ...own] })
})

test('closes an empty directory by its permissions, and mounts stubs last', () => {
  const mounts: SandboxMount[] = [
    ...mountEach('empty', ['/home', '/media', '/srv', '/opt']),
    { kind: 'stub', path: '/w/.git' },
    { kind: 'read', path: '/home/me/.npm' },
    { kind: 'write', path: '/opt' },
    { kind: 'mask', path: '/w/a/b/.env' },
    ...mountEach('seal', ['/home', '/media', '/srv']),
  ]
  const program = { path: '/usr/bin/bwrap', locksNamespaces: true }
  const { args } = wrapInBubblewrap(program, plan, mounts, { ownsKernelSettings: true })
  const closed = (path: string) => ['--perms', '0555', '--tmpfs', path]
  expect(args.slice(args.lastIndexOf('/proc/fs') + 1, args.indexOf('--chdir'))).toEqual([
    ...['--tmpfs', '/home', ...closed('/media'), ...closed('/srv'), '--tmpfs', '/opt'],
    ...['--ro-bind-try', '/home/me/.npm', '/home/me/.npm', '--bind', '/opt', '/opt'],
    ...['--ro-bind', '/dev/null', '/w/a/b/.env', '--remount-ro', '/home', ...closed('/w/.git')],
  ])
})

test.each([
  ['{ "child-pid": 1 }\n{ "exit-code": 0 }\n', '', { kind: 'finished' }],
  ['{ "child-pid": 1 }\n{ "exit-code": 1 }\n', 'bwrap: said by the command', { kind: 'finished' }],
  ['{ "child-pid": 1 }', 'half\n', { kind: 'broken' }],
  ['{ "child-pid": 1 }', "bwrap: Can't mount proc\n", { kind: 'not built', why: "bwrap: Can't mount proc" }],
  ['', 'bwrap: No permissions\n', { kind: 'not built', why: 'bwrap: No permissions' }],
])('a status of %j means what it says', (status, errors, end) => {
  expect(readSandboxEnd(status, errors)).toEqual(end)
})

test('writes the same rules for macOS, where the last rule wins', () => {
  const mounts = planMounts({ ...request, write: ['/opt/o"ut'] }, machine, places, '/data/tmp')
  const profile = seatbeltProfile(mounts, '/data/tmp', { socket: '/data/tmp/p.sock', port: 3128 })
  const at = (text: string) => {
    const found = profile.indexOf(text)
    expect(found, text).toBeGreaterThan(0)
    return found
  }
  expect(at('(deny network*)')).toBeLessThan(at('(allow network-outbound (remote unix-socket'))
  expect(at('(deny file-read* file-write* (subpath "/home/me"))')).toBeLessThan(
    at('(allow file-read* file-write* (subpath "/home/me/p"))'),
  )
  expect(at('(allow file-read* file-write* (subpath "/home/me/p"))')).toBeLessThan(
    at('(deny file-write* (subpath "/home/me/p/.git"))'),
  )
  expect(at('(deny file-read* file-write* (subpath "/home/me/p/.env"))')).toBeGreaterThan(0)
  at('(allow file-read* file-write* (subpath "/opt/o\\"ut"))')
  at('(allow file-read* file-write* (subpath "/data/tmp"))')
  expect(seatbeltProfile(mounts, '/data/tmp')).not.toContain('allow network')
  expect(wrapInSeatbelt(plan, '(version 1)')).toEqual({
    ...plan,
    file: '/usr/bin/sandbox-exec',
    args: ['-p', '(version 1)', 'bash', '-c', 'make "a b"'],
  })
})
