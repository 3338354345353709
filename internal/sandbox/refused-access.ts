// Search for the accesses that a sandbox refused to a command, in the decisions of the proxy and the
// output of programs.
import { isAbsolute, resolve } from 'node:path'
import type { ProxyDecision } from './host-proxy.ts'

/** Largest number of names of each kind that a report lists. Further names are only counted. */
const maxNamed = 5

/** Patterns of messages that a path cannot be written. One of their groups contains the path. */
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

/**
 * Patterns of messages that a server on this machine refused a connection, with the port if it is printed.
 */
const answering = [
  /(?:Failed to connect to|connect to host) (localhost|127\.[\d.]+|::1) port (\d+)/g,
  /ECONNREFUSED (127\.[\d.]+|::1|localhost):(\d+)/g,
  /dial tcp (127\.[\d.]+|\[::1\]):(\d+): connect: connection refused/g,
  /Connecting to (?:localhost \()?(localhost|127\.[\d.]+|::1)\)?[^\n]*?:(\d+)\S* failed: Connection refused/g,
  /\[Errno 111\] Connection refused/g,
]

const offline =
  /failure in name resolution|network is unreachable|name or service not known|EAI_AGAIN|ENETUNREACH/i

/**
 * Returns true for hosts on this machine. In the sandbox these are servers of the command itself, so
 * permission to use the host would not help.
 */
const isLocal = (host: string) => /^(?:localhost|127\.[\d.]+|\[?::1\]?|0\.0\.0\.0)$/.test(host)

interface RefusalContext {
  cwd: string
  /** Directories that appear empty inside the sandbox. */
  hidden: readonly string[]
  decisions: readonly ProxyDecision[]
  /** Those of `hidden` without mounts inside. The sandbox makes them read-only by their permissions. */
  closed?: readonly string[]
  /**
   * Empty directories that the sandbox has placed at protected names, so that a command cannot create them.
   */
  reserved?: readonly string[]
  /**
   * One text about each protected path that the command created or changed, with the correction, such
   * as a rename.
   */
  made: readonly string[]
  /**
   * Number of connections outside the closed network, as the kernel counted them; undefined if it is unknown.
   */
  connections?: number | undefined
  failed?: boolean | undefined
  /**
   * Whether the command could reach servers that background jobs run. `isShared`: it could. `apartBy`: the
   * reason why it could not although jobs run.
   */
  servers?: { isShared: boolean; apartBy?: string }
}

const maxRead = 200_000

/**
 * Returns texts about refused accesses to the network, to files and to servers, then the texts in
 * `protectionNotes`. Each path appears once; after five of a kind, the others are only counted. Messages in
 * standard output count only for the network and servers, and only if the kernel refused a connection or the
 * command failed, because the text of any file can contain such words.
 */
export function readRefusals(
  { errors, output = '' }: { errors: string; output?: string },
  {
    cwd,
    hidden,
    closed = [],
    reserved = [],
    decisions,
    made: protectionNotes,
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
    for (const [host = '', port] of findMatches(both, reaching))
      if (!isLocal(host)) places.add(`${host}${port ? `:${port}` : ''} not granted`)
    if (places.size === 0 && (connections > 0 || offline.test(both))) places.add('no host is granted')
  }
  const absolute = (path: string) => (isAbsolute(path) ? path : resolve(cwd, path))
  const files = new Set([...findMatches(text, writing)].map(([path]) => absolute(path as string)))
  const isHidden = (path: string) => hidden.some((dir) => path === dir || path.startsWith(`${dir}/`))
  for (const [path] of findMatches(text, denied)) {
    const at = absolute(path as string)
    if (closed.some((dir) => at.startsWith(`${dir}/`))) files.add(at)
  }
  const unseen = new Set(
    [...findMatches(text, missing)].map(([path]) => absolute(path as string)).filter(isHidden),
  )
  const reservedAt = (path: string) => reserved.find((dir) => path === dir || path.startsWith(`${dir}/`))
  const reservedPaths = new Set(
    [...findMatches(text, denied)].flatMap(([path]) => reservedAt(absolute(path as string)) ?? []),
  )
  return [
    ...describeFirst([...places], (place) => `network: ${place}`),
    ...describeFirst([...files], (path) => `EROFS ${path}`),
    ...describeFirst([...unseen], (path) => `hidden: ${path}`),
    ...describeFirst([...reservedPaths], (path) => `${path}: protected, a command cannot create it`),
    ...(servers && !servers.isShared && failed ? describeServers(both, servers.apartBy) : []),
    ...describeFirst([...protectionNotes], (line) => line),
  ]
}

/**
 * Returns a hint if the output mentions a local server that the command could not reach; otherwise
 * an empty list.
 */
function describeServers(text: string, apartBy: string | undefined): string[] {
  const [first] = findMatches(text, answering)
  if (!first) return []
  const [host, port] = first
  const server = host === undefined ? 'a server of this machine' : `${host}:${port}`
  if (apartBy !== undefined)
    return [`${server}: cannot connect to servers of background jobs here: ${apartBy}`]
  return [`${server}: only servers of this command and of running background jobs can be reached`]
}

function* findMatches(text: string, patterns: readonly RegExp[]): Generator<(string | undefined)[]> {
  for (const pattern of patterns) for (const [, ...groups] of text.matchAll(pattern)) yield groups
}

function describeFirst(all: readonly string[], describe: (one: string) => string): string[] {
  const more = all.length - maxNamed
  return [...all.slice(0, maxNamed).map(describe), ...(more > 0 ? [`${more} more of this kind`] : [])]
}
