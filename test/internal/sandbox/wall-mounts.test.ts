// What a wall shows, hides and leaves writable: tables of requests and the mounts they lead to.
import { expect, test } from 'vitest'
import type { WallRequest } from '../../../internal/process/process-command.ts'
import { readWallEnd, wrapInBubblewrap } from '../../../internal/sandbox/bubblewrap.ts'
import { seatbeltProfile, wrapInSeatbelt } from '../../../internal/sandbox/seatbelt.ts'
import { type FolderPlaces, type MachinePlaces, planMounts } from '../../../internal/sandbox/wall-mounts.ts'

const machine: MachinePlaces = {
  homes: ['/home/me', '/root'],
  runtime: ['/run'],
  tools: ['/home/me/.npm', '/home/me/.cargo'],
  toolSecrets: ['/home/me/.cargo/credentials.toml'],
  temporary: ['/tmp'],
  own: ['/home/me/.local/share/anode', '/srv/anode'],
}
const places: FolderPlaces = {
  guarded: ['/home/me/p/.git/hooks', '/home/me/p/.git/config', '/home/me/p/.github'],
  secretFiles: ['/home/me/p/.env', '/home/me/p/a/key.pem'],
  secretFolders: ['/home/me/p/.aws'],
  repositories: [],
  histories: ['/home/me/p/.git', '/home/me/p/.git/worktrees/x'],
}
const request: WallRequest = {
  kind: 'workspace',
  folders: ['/home/me/p'],
  protected: ['/home/me/p/kept'],
  network: [],
  write: [],
  revealed: [],
  opened: [],
  setsAside: true,
  history: false,
}
const lines = (asked: Partial<WallRequest>, found: Partial<FolderPlaces> = {}) =>
  planMounts({ ...request, ...asked }, machine, { ...places, ...found }, '/data/tmp').map((mount) =>
    [mount.kind, mount.path, ...('source' in mount ? [mount.source] : [])].join(' '),
  )

test('the workspace is laid over hidden homes, and what is guarded over the workspace', () => {
  expect(lines({})).toEqual([
    'empty /run',
    'private /tmp /data/tmp',
    'empty /home/me',
    'empty /root',
    'read /home/me/.npm',
    'read /home/me/.cargo',
    'mask /home/me/.cargo/credentials.toml',
    'empty /srv/anode',
    'write /home/me/p',
    'read /home/me/p/.git/hooks',
    'read /home/me/p/.git/config',
    'read /home/me/p/.github',
    'read /home/me/p/.git',
    'read /home/me/p/kept',
    'empty /home/me/p/.aws',
    'mask /home/me/p/.env',
    'mask /home/me/p/a/key.pem',
    'seal /run',
    'seal /home/me',
    'seal /root',
    'seal /home/me/p/.aws',
  ])
})

const cases: [string, Partial<WallRequest>, Partial<FolderPlaces>, string[], string[]][] = [
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
test.each(cases)('%s', (_, asked, found, has, lacks) => {
  const got = lines(asked, found)
  expect(got).toEqual(expect.arrayContaining(has))
  for (const line of lacks) expect(got).not.toContain(line)
})

const plan = { file: 'bash', args: ['-c', 'make "a b"'], cwd: '/home/me/p', env: { PATH: '/bin' } }

test('bubblewrap gets its words in order, and the command as it was', () => {
  const wrapped = wrapInBubblewrap({ path: '/usr/bin/bwrap', locksNamespaces: true }, plan, [
    { kind: 'empty', path: '/home' },
    { kind: 'private', path: '/tmp', source: '/data/tmp' },
    { kind: 'write', path: '/home/me/p' },
    { kind: 'mask', path: '/home/me/p/.env' },
    { kind: 'read', path: '/home/me/p/.git' },
    { kind: 'seal', path: '/home' },
  ])
  expect(wrapped).toEqual({
    file: '/usr/bin/bwrap',
    cwd: '/',
    env: plan.env,
    args: (
      '--unshare-user --unshare-pid --unshare-ipc --unshare-net --unshare-uts --disable-userns --die-with-parent ' +
      '--new-session --cap-drop ALL --json-status-fd 3 --ro-bind / / --dev /dev --proc /proc ' +
      '--ro-bind-try /proc/sys /proc/sys --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger ' +
      '--ro-bind-try /proc/irq /proc/irq --ro-bind-try /proc/bus /proc/bus --ro-bind-try /proc/fs /proc/fs --tmpfs /home ' +
      '--bind /data/tmp /tmp --bind /home/me/p /home/me/p --ro-bind /dev/null /home/me/p/.env ' +
      '--ro-bind /home/me/p/.git /home/me/p/.git --remount-ro /home --chdir /home/me/p -- bash -c'
    )
      .split(' ')
      .concat('make "a b"'),
  })
  const older = wrapInBubblewrap({ path: 'bwrap', locksNamespaces: false }, plan, [])
  expect(older.args).not.toContain('--disable-userns')
})

test.each([
  ['{ "child-pid": 1 }\n{ "exit-code": 0 }\n', '', { kind: 'finished' }],
  ['{ "child-pid": 1 }\n{ "exit-code": 1 }\n', 'bwrap: said by the command', { kind: 'finished' }],
  ['{ "child-pid": 1 }', 'half\n', { kind: 'broken' }],
  ['{ "child-pid": 1 }', "bwrap: Can't mount proc\n", { kind: 'not built', why: "bwrap: Can't mount proc" }],
  ['', 'bwrap: No permissions\n', { kind: 'not built', why: 'bwrap: No permissions' }],
])('a status of %j means what it says', (status, errors, end) => {
  expect(readWallEnd(status, errors)).toEqual(end)
})

test('a profile for macOS says the same in rules, the last of which counts', () => {
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
