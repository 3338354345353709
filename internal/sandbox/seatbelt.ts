// Sandbox on macOS: the profile for the program sandbox-exec, and the start of a command with it. In a
// profile, later rules take precedence.
import type { SpawnPlan } from '../process/process-command.ts'
import type { SandboxMount } from './sandbox-mounts.ts'

const quoteText = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`

/**
 * Returns filters for paths in a profile. `subpath` covers a directory with all its content, or
 * a single file.
 */
const formatSubpaths = (paths: readonly string[]) =>
  paths.map((path) => `(subpath ${quoteText(path)})`).join(' ')

const formatRule = (verdict: 'allow' | 'deny', what: string, paths: readonly string[]) =>
  paths.length === 0 ? [] : [`(${verdict} ${what} ${formatSubpaths(paths)})`]

/**
 * Returns the profile for sandbox-exec, which has no mounts. So paths that would appear empty can be neither
 * read nor written, and the session's temporary directory keeps its path. `relay` has the socket of the proxy
 * for granted hosts, and the local port of the relay.
 */
export function seatbeltProfile(
  mounts: readonly SandboxMount[],
  temporary: string,
  relay?: { socket: string; port: number },
): string {
  const lines = [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny file-write*)',
    '(deny mach-lookup (global-name "com.apple.securityd") (global-name "com.apple.pasteboard.1"))',
    '(deny process-info* (target others))',
    '(deny signal (target others))',
    '(allow signal (target same-sandbox))',
    '(allow file-write* (literal "/dev/null") (literal "/dev/tty") (regex #"^/dev/fd/"))',
  ]
  for (const mount of mounts) {
    const { kind, path } = mount
    if (kind === 'private') lines.push(...formatRule('deny', 'file-read* file-write*', [path]))
    else if (kind === 'empty' || kind === 'mask' || kind === 'fixed')
      lines.push(...formatRule('deny', 'file-read* file-write*', [path]))
    else if (kind === 'stub') lines.push(...formatRule('deny', 'file-write*', [path]))
    else if (kind === 'read' || kind === 'link')
      lines.push(...formatRule('allow', 'file-read*', [path]), ...formatRule('deny', 'file-write*', [path]))
    else if (kind === 'write') lines.push(...formatRule('allow', 'file-read* file-write*', [path]))
  }
  lines.push(...formatRule('allow', 'file-read* file-write*', [temporary]))
  if (relay) {
    const local = quoteText(`localhost:${relay.port}`)
    lines.push(`(allow network-outbound (remote unix-socket (path-literal ${quoteText(relay.socket)})))`)
    lines.push(`(allow network-bind (local ip ${local}))`, `(allow network-inbound (local ip ${local}))`)
    lines.push(`(allow network-outbound (remote ip ${local}))`)
  }
  return `${lines.join('\n')}\n`
}

export function wrapInSeatbelt(plan: SpawnPlan, profile: string): SpawnPlan {
  return { ...plan, file: '/usr/bin/sandbox-exec', args: ['-p', profile, plan.file, ...plan.args] }
}
