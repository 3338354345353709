// Parts of the system that sandboxed commands may read. Other directories at the root of the file
// system are hidden.

import { accessSync, constants, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { findStats, listEntries } from '../base/files/path-lookup.ts'
import { once } from '../base/once.ts'

/** Names that commands may read, by their directory. `*` at the end matches a version number or nothing. */
const openNames: Readonly<Record<string, string>> = {
  '/': `bin sbin lib lib32 lib64 libx32 usr etc proc sys dev boot nix gnu snap .dockerenv
    System Library Applications private cores`,
  '/var/lib': `dpkg apt rpm pacman apk alternatives ghc gems python texmf tex-common ca-certificates
    ca-certificates-java gconf sgml-base xml-core misc locales flatpak snapd dbus`,
  '/var/cache': 'fontconfig man ldconfig apt',
  '/opt': `homebrew hostedtoolcache rh cuda* nvidia rocm* intel conda* miniconda* anaconda* miniforge*
    mambaforge* micromamba* python* pypy* pyenv* node* nvm* nodejs* deno* bun* go go1* golang* rust* cargo*
    rustup* gcc* llvm* clang* arm-* aarch64-* riscv* java* jdk* jre* openjdk* graalvm* kotlin* scala* gradle*
    maven* apache-maven* ant* sbt* android* flutter* dart* dotnet* mono* ruby* rbenv* rvm* php* perl* julia*
    R ghc* cabal* zig* swift* elixir* erlang* ocaml* google chrome* microsoft
    mssql-tools* cmake* ninja* bazel*
    emsdk* wasi-sdk* texlive* az aws-cli pipx uv* toolchains llvm-mingw* mingw*`,
}

/** Files and directories of `/etc` that contain keys and passwords. */
const secretSettings = `shadow shadow- gshadow gshadow- sudoers sudoers.d security/opasswd ssl/private
  pki/private pki/tls/private ssh/ssh_host_rsa_key ssh/ssh_host_ecdsa_key ssh/ssh_host_ed25519_key
  ssh/ssh_host_dsa_key NetworkManager/system-connections netplan wireguard openvpn ipsec.secrets ipsec.d
  swanctl letsencrypt krb5.keytab kubernetes rancher docker mysql/debian.cnf postgresql redis cups ppp
  wpa_supplicant iwd crypttab apt/auth.conf apt/auth.conf.d exim4 dovecot postfix/sasl fetchmailrc msmtprc
  borgmatic restic vault.d consul.d nomad.d grafana gitlab gitlab-runner ceph samba tor salt puppetlabs
  ansible chef`.split(/\s+/)

interface SystemPlaces {
  /** Directories that appear empty. */
  closed: string[]
  /** Files that appear empty. */
  closedFiles: string[]
  /** Directories that stay readable although they are in `closed` or below a directory in `closed`. */
  open: string[]
}

/**
 * Returns the system paths to hide, and those to show inside hidden directories. `root` is `/`
 * except in tests. A name that is not in `openNames` is hidden, so directories that a machine gets
 * later are hidden too.
 */
export function readSystemPlaces(root = '/', platform: string = process.platform): SystemPlaces {
  const places: SystemPlaces = { closed: [], closedFiles: [], open: [] }
  // On macOS, /var and /etc are links, and /opt belongs to a package manager, so other names apply.
  const isMac = platform === 'darwin'
  for (const entry of listEntries(root)) {
    const path = join(root, entry.name)
    if (isOpen('/', entry.name) || (isMac && entry.name === 'opt')) continue
    if (entry.isDirectory()) places.closed.push(path)
    else if (!entry.isDirectory() && !entry.isSymbolicLink()) places.closedFiles.push(path)
  }
  for (const dir of isMac ? [] : ['/var/lib', '/var/cache', '/opt']) addPartlyOpen(dir, root, places)
  addSecretSettings(join(root, 'etc'), places)
  return places
}

/**
 * Adds a directory in which commands may read only some entries. Either the directory is hidden except for
 * these entries, or it is shown and the other entries are hidden. The faster way is used; hiding about ten
 * directories takes as long as showing one.
 */
function addPartlyOpen(dir: string, root: string, places: SystemPlaces): void {
  const entries = listEntries(join(root, dir)).filter((entry) => !entry.isSymbolicLink())
  const isShown = (entry: Dirent) => entry.isDirectory() && isOpen(dir, entry.name)
  const pathsOf = (some: Dirent[]) => some.map(({ name }) => join(root, dir, name))
  const shownEntries = entries.filter(isShown)
  const hidden = entries.filter((entry) => !isShown(entry))
  const files = hidden.filter((entry) => !entry.isDirectory())
  if (shownEntries.length <= 1 + files.length + hidden.length / 10) {
    places.open.push(...pathsOf(shownEntries))
    return
  }
  places.open.push(join(root, dir))
  places.closed.push(...pathsOf(hidden.filter((entry) => entry.isDirectory())))
  places.closedFiles.push(...pathsOf(files))
}

function addSecretSettings(dir: string, { closed, closedFiles }: SystemPlaces): void {
  const names = new Set(secretSettings)
  // Files that the system does not let other users read are secrets. User 0 could read them, so
  // they are hidden.
  if (process.getuid?.() === 0)
    for (const { name } of listEntries(dir)) if (!isPublic(join(dir, name))) names.add(name)
  for (const name of names) {
    const stats = findStats(join(dir, name))
    if (stats?.isDirectory()) closed.push(join(dir, name))
    else if (stats?.isFile() && isReadable(join(dir, name))) closedFiles.push(join(dir, name))
  }
}

/**
 * Returns true if the user can read a path. Other paths need not be hidden, because a command gets no
 * additional rights in the sandbox.
 */
function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

const isPublic = (path: string) => {
  const stats = findStats(path)
  return !stats || stats.isSymbolicLink() || (stats.mode & 0o004) !== 0
}

const patterns = once(
  () =>
    new Map(
      Object.entries(openNames).map(([dir, text]) => {
        const names = text.trim().split(/\s+/)
        const starts = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))
        return [dir, { names: new Set(names), starts }]
      }),
    ),
)

function isOpen(dir: string, name: string): boolean {
  const row = patterns().get(dir)
  if (!row || row.names.has(name)) return row !== undefined
  const isVersion = (rest: string) => /^(?:[-_.]?(?:v|jdk|x86_64)?-?\d[\w.+-]*)?$/.test(rest)
  return row.starts.some((start) => name.startsWith(start) && isVersion(name.slice(start.length)))
}
