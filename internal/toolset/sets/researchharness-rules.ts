// Rules with which the toolset researchharness denies calls in every permission mode: access to secrets and
// `.git`, programs such as `sudo`, shutdowns and disk tools, `rm -rf` of the disk or the home directory,
// and fork bombs.
import { sensitiveGlobs, sensitivePaths } from '../../policy/paths/sensitive-names.ts'
import type { PermissionRule } from '../../policy/rules/permission-rule.ts'

const names = [...sensitiveGlobs, ...sensitivePaths, '.git']

const programs = [
  ...['sudo', 'su', 'doas', 'shutdown', 'reboot', 'halt', 'poweroff', 'fdisk', 'parted', 'mkfs'],
  ...['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'vfat', 'fat', 'msdos', 'ntfs', 'exfat', 'f2fs'].map(
    (kind) => `mkfs.${kind}`,
  ),
]

const commandEnd = String.raw`(?:[\s;&|)]|$)`

/**
 * Matches `rm` with both flags (recursive and force) in any spelling, for the whole disk or
 * the home directory.
 */
const removesAll =
  String.raw`/(?:^|[\s;&|(/\\])rm(?=[^;&|\n]*\s-(?:-recursive|\w*[rR]))(?=[^;&|\n]*\s-(?:-force|\w*f))` +
  String.raw`[^;&|\n]*\s["']?(?:\/\*?|~\/?\*?|\$\{?HOME\}?["']?\/?\*?)["']?${commandEnd}/`

const forkBomb = String.raw`/([\w:]+)\s*\(\)\s*\{[^}]*\1\s*\|\s*\1\s*&/`

/** Names of the parameters that contain command lines, by tool. */
const lines = [
  ['bash', 'command'],
  ['bash_batch', 'commands'],
  ['terminal_write', 'input'],
] as const

export const researchRules: readonly PermissionRule[] = [
  ...names.map((name) => ({
    tool: '*',
    action: 'deny' as const,
    path: `**/${name}{,/**}`,
    reason: 'secrets and histories stay closed',
  })),
  ...programs.map((command) => ({
    tool: 'bash',
    action: 'deny' as const,
    command,
    reason: 'it needs a terminal of the user',
  })),
  ...lines.flatMap(([tool, parameter]) =>
    [removesAll, forkBomb].map((pattern) => ({
      tool,
      action: 'deny' as const,
      args: { [parameter]: pattern },
      reason: 'it would end the machine',
    })),
  ),
]
