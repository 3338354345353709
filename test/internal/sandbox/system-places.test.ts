// What of the system is open to sandboxed commands: a table of directories, and a machine of directories to read.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isBelow } from '../../../internal/sandbox/sandbox-mounts.ts'
import { readSystemPlaces } from '../../../internal/sandbox/system-places.ts'

let root: string
let mask: number
beforeEach(() => {
  // the rows name modes, so the umask of this machine must not count
  mask = process.umask(0o022)
  root = mkdtempSync(join(tmpdir(), 'anode-system-'))
})
afterEach(() => {
  process.umask(mask)
  rmSync(root, { recursive: true, force: true })
})

const open =
  `/usr/bin/x /usr/local/lib/x /usr/share/x /bin/x /sbin/x /lib/x /lib64/x /etc/passwd /etc/ssl/certs/x
  /etc/alternatives/x /nix/store/x /snap/core/x /var/lib/dpkg/status /var/lib/gems/x /var/cache/fontconfig/x
  /opt/hostedtoolcache/x /opt/node-v20.1.0/bin/x /opt/node/x /opt/jdk-21/x /opt/go1.22/x /opt/conda/x
  /opt/python3.12/x /opt/python/x /opt/cuda-12.4/x /opt/google/x`.split(/\s+/)
const closed = `/srv/app/x /data/x /mnt/disk/x /media/stick/x /var/www/html/x /var/backups/x /var/lib/mysql/x
  /var/lib/postgresql/x /var/log/syslog /var/mail/x /var/snap/lxd/x /var/cache/app/x /opt/app/x /opt/x/x /opt/google-billing/x
  /opt/nodeserver/x /opt/python-service/x /opt/go-app/x /exports/x /app/x /workspace/x /code/x /repos/x /etc/shadow
  /etc/sudoers /etc/ssl/private/x /etc/wireguard/x /etc/letsencrypt/x /etc/apt/auth.conf /etc/krb5.keytab
  /etc/NetworkManager/system-connections/x /key.txt /backup.sql`.split(/\s+/)
// any directory that a machine adds is closed
const made = ['', '/var', '/var/lib', '/opt'].flatMap((dir) =>
  Array.from({ length: 40 }, (_, i) => `${dir}/${['team', 'src', 'srv', 'repo'][i % 4]}${i}/x`),
)

test.each(['linux'])('on %s each directory is closed unless the list names it', (platform) => {
  for (const path of [...open, ...closed, ...made]) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), 'x', { mode: 0o644 })
  }
  const places = readSystemPlaces(root, platform)
  const isHidden = (path: string) => {
    const rank = (dirs: readonly string[]) =>
      Math.max(-1, ...dirs.filter((dir) => isBelow(join(root, path), dir)).map((dir) => dir.length))
    return rank([...places.closed, ...places.closedFiles]) > rank(places.open)
  }
  expect(open.filter(isHidden)).toEqual([])
  expect([...closed, ...made].filter((path) => !isHidden(path))).toEqual([])
  expect(closed.length + made.length).toBeGreaterThan(180)
})

test('a directory with many open names and few others is opened whole, the others closed in it', () => {
  const names = 'dpkg apt python misc gems locales'.split(' ')
  for (const name of [...names, 'mysql', 'redis'])
    mkdirSync(join(root, 'var', 'lib', name), { recursive: true })
  const path = (name: string) => join(root, 'var', 'lib', name)
  const { closed, open: shown } = readSystemPlaces(root, 'linux')
  expect(shown).toEqual([join(root, 'var', 'lib')])
  expect(closed.sort()).toEqual([join(root, 'var'), path('mysql'), path('redis')])
  // a file costs as much as a directory that is shown, so enough of them turn the choice
  for (let i = 0; i < 6; i++) writeFileSync(path(`state-${i}`), '')
  expect(readSystemPlaces(root, 'linux').open.sort()).toEqual(names.map(path).sort())
})

test('links at the top are left alone: what they lead to decides', () => {
  mkdirSync(join(root, 'usr'))
  symlinkSync('usr/bin', join(root, 'bin2'))
  expect(readSystemPlaces(root, 'linux')).toEqual({ closed: [], closedFiles: [], open: [] })
})

test('settings that other users may not read are closed for user 0 too', ({ skip }) => {
  if (process.getuid?.() !== 0) return skip()
  mkdirSync(join(root, 'etc', 'vendor-agent'), { recursive: true, mode: 0o755 })
  mkdirSync(join(root, 'etc', 'vendor-keys'), { mode: 0o700 })
  writeFileSync(join(root, 'etc', 'plain.conf'), '', { mode: 0o644 })
  writeFileSync(join(root, 'etc', 'token'), '', { mode: 0o640 })
  const { closed, closedFiles } = readSystemPlaces(root, 'linux')
  expect([closed, closedFiles]).toEqual([[join(root, 'etc', 'vendor-keys')], [join(root, 'etc', 'token')]])
})
