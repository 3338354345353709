// What a wall refused a command, read from the proxy's decisions and from what programs print. Pure.
import { isAbsolute, resolve } from 'node:path'
import type { ProxyDecision } from './host-proxy.ts'

/** More are counted, not named. */
const maxNamed = 5

/** Words of programs for a place that cannot be written; the path stands in one of the groups. */
const writing = [
  /EROFS: read-only file system, \w+ '([^']+)'/g,
  /Read-only file system: '([^']+)'/g,
  /['"‘]([^'"‘’\n]+)['"’]: Read-only file system/g,
  /(?:^|[\s:])([^\s:'"‘’]+): Read-only file system/gm,
  /(?:rename|move|replace|remove|unlink)\D*['"‘]([^'"‘’\n]+)['"’].*: Device or resource busy/g,
]

const missing = [
  /ENOENT: no such file or directory, \w+ '([^']+)'/g,
  /['"‘:\s]([~/][^'"‘’:\n]*)['"’]?: No such file/g,
]

const denied = [
  /E(?:ACCES|EXIST|BUSY|ISDIR): [\w ]+, \w+ '([^']+)'/g,
  /['"‘]([^'"‘’\n]+)['"’]: (?:Permission denied|File exists|Is a directory|Device or resource busy)/g,
  /(?:^|[\s:])([^\s:'"‘’]+): (?:Permission denied|File exists|Is a directory|Device or resource busy)/gm,
]

const reaching = [
  /Could not resolve (?:host|proxy): ([\w.-]+)/g,
  /getaddrinfo (?:EAI_AGAIN|ENOTFOUND) ([\w.-]+)/g,
  /unable to resolve host address ['"‘]([\w.-]+)/g,
  /connect E(?:NETUNREACH|HOSTUNREACH|ADDRNOTAVAIL) ([\w.:[\]-]+)/g,
  /(?:Failed to connect to|connect to host) ([\w.:-]+) port (\d+)/g,
  /(?:NameResolutionError|NewConnectionError|HTTPS?ConnectionPool)\(.{0,400}?host='([\w.-]+)'/g,
  /Could not resolve hostname ([\w-]+(?:\.[\w-]+)+)/gi,
  /dial tcp: lookup ([\w.-]+)/g,
  /dial tcp ([\d.]+|\[[\da-f:]+\]):(\d+): connect: network is unreachable/g,
  /unable to access '\w+:\/\/(?:[^@/'\s]*@)?([\w.-]+)[^']*': (?:Could not|Couldn't|Failed)/g,
  /request to \w+:\/\/([\w.-]+)\S* failed/g,
]

/** Servers of this machine that refused; the port where it is printed. */
const answering = [
  /(?:Failed to connect to|connect to host) (localhost|127\.[\d.]+|::1) port (\d+)/g,
  /ECONNREFUSED (127\.[\d.]+|::1|localhost):(\d+)/g,
  /dial tcp (127\.[\d.]+|\[::1\]):(\d+): connect: connection refused/g,
  /Connecting to (?:localhost \()?(localhost|127\.[\d.]+|::1)\)?[^\n]*?:(\d+)\S* failed: Connection refused/g,
  /\[Errno 111\] Connection refused/g,
]

const offline =
  /failure in name resolution|network is unreachable|name or service not known|EAI_AGAIN|ENETUNREACH/i

/** Servers of the command: no grant would reach them. */
const isLocal = (host: string) => /^(?:localhost|127\.[\d.]+|\[?::1\]?|0\.0\.0\.0)$/.test(host)

interface RefusalContext {
  cwd: string
  /** Folders that are shown empty. */
  hidden: readonly string[]
  decisions: readonly ProxyDecision[]
  /** Those of them that nothing is laid in: their permissions keep new files out. */
  closed?: readonly string[]
  /** Empty directories that reserve protected names. */
  reserved?: readonly string[]
  /** What became of protected paths that the command has made or changed, one text each. */
  made: readonly string[]
  /** Connections without a way out, as the kernel counted them; undefined where that is unknown. */
  connections?: number | undefined
  failed?: boolean | undefined
  /** Whether the command reached servers of jobs, and why it could not while there are jobs. */
  servers?: { isShared: boolean; apartBy?: string }
}

const maxRead = 200_000

/**
 * In the order network, files, each place once. What was printed on standard output counts for the network
 * only where the kernel refused a connection, or the command failed: any file can contain such words.
 */
export function readRefusals(
  { errors, output = '' }: { errors: string; output?: string },
  {
    cwd,
    hidden,
    closed = [],
    reserved = [],
    decisions,
    made,
    connections = 0,
    failed,
    servers,
  }: RefusalContext,
): string[] {
  const text = errors.slice(-maxRead)
  const both = connections > 0 || failed ? `${text}\n${output.slice(-maxRead)}` : text
  const places = new Set(
    decisions.filter(({ refused }) => refused).map(({ place, refused }) => `${place}: ${refused}`),
  )
  if (decisions.length === 0) {
    for (const [host = '', port] of find(both, reaching))
      if (!isLocal(host)) places.add(`${host}${port ? `:${port}` : ''} not granted`)
    if (places.size === 0 && (connections > 0 || offline.test(both))) places.add('no host is granted')
  }
  const absolute = (path: string) => (isAbsolute(path) ? path : resolve(cwd, path))
  const files = new Set([...find(text, writing)].map(([path]) => absolute(path as string)))
  const isHidden = (path: string) => hidden.some((dir) => path === dir || path.startsWith(`${dir}/`))
  for (const [path] of find(text, denied)) {
    const at = absolute(path as string)
    if (closed.some((dir) => at.startsWith(`${dir}/`))) files.add(at)
  }
  const unseen = new Set([...find(text, missing)].map(([path]) => absolute(path as string)).filter(isHidden))
  const reservedAt = (path: string) => reserved.find((dir) => path === dir || path.startsWith(`${dir}/`))
  const kept = new Set(
    [...find(text, denied)].flatMap(([path]) => reservedAt(absolute(path as string)) ?? []),
  )
  return [
    ...named([...places], (place) => `network: ${place}`),
    ...named([...files], (path) => `EROFS ${path}`),
    ...named([...unseen], (path) => `hidden: ${path}`),
    ...named([...kept], (path) => `${path}: protected, a command cannot create it`),
    ...(servers && !servers.isShared && failed ? describeServers(both, servers.apartBy) : []),
    ...named([...made], (line) => line),
  ]
}

/** One hint for all servers: they are outside of the network of a command. */
function describeServers(text: string, apartBy: string | undefined): string[] {
  const [first] = find(text, answering)
  if (!first) return []
  const [host, port] = first
  const server = host === undefined ? 'a server of this machine' : `${host}:${port}`
  if (apartBy !== undefined)
    return [`${server}: cannot connect to servers of background jobs here: ${apartBy}`]
  return [`${server}: only servers of this command and of running background jobs can be reached`]
}

function* find(text: string, patterns: readonly RegExp[]): Generator<(string | undefined)[]> {
  for (const pattern of patterns) for (const [, ...groups] of text.matchAll(pattern)) yield groups
}

function named(all: readonly string[], describe: (one: string) => string): string[] {
  const more = all.length - maxNamed
  return [...all.slice(0, maxNamed).map(describe), ...(more > 0 ? [`${more} more of this kind`] : [])]
}
