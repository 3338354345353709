// Resource limits, priority and permitted processors of this measuring process. A command could change them
// and so influence later commands.
import { readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import type { RunCommand } from '../../process/process-command.ts'

/**
 * Settings of this process that child processes inherit, as texts; empty if the system does not report one.
 */
interface SelfState {
  affinity: string
  nice: string
  policy: string
  io: string
  limits: string
}

interface CommandContext {
  run: RunCommand
  env: Readonly<Record<string, string>>
  cwd: string
}

/** Names of the settings in messages for users. */
const words: Readonly<Record<keyof SelfState, string>> = {
  affinity: 'processors',
  nice: 'priority',
  policy: 'scheduling policy',
  io: 'priority for the disk',
  limits: 'resource limits',
}

export async function readSelfState({ run, env, cwd }: CommandContext): Promise<SelfState> {
  const stat = readText('/proc/self/stat')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ioniceResult = await run({
    file: 'ionice',
    args: ['-p', String(process.pid)],
    cwd,
    env,
    childless: true,
  }).catch(() => undefined)
  return {
    affinity: /^Cpus_allowed_list:\s*(.*)$/m.exec(readText('/proc/self/status'))?.[1] ?? '',
    nice: String(getPriority()),
    // Scheduling priority and policy, with which a process could get real-time scheduling.
    policy: fields.length > 38 ? `${fields[37]} ${fields[38]}` : '',
    io: ioniceResult?.exit === 0 ? ioniceResult.stdout.text.trim() : '',
    limits: readText('/proc/self/limits'),
  }
}

/**
 * Returns the names of the settings that differ, for messages to users; an empty list without a difference.
 */
export function selfChanges(before: SelfState, after: SelfState): string[] {
  const keys = Object.keys(words) as (keyof SelfState)[]
  return keys.filter((key) => before[key] !== after[key]).map((key) => words[key])
}

/**
 * Changes the settings of this process in which `from` differs from `to` back to those of `to`; the
 * scheduling policy only if it was a normal one. Without privileges, a lowered hard limit or priority cannot
 * be raised. Ignores failures.
 */
export async function restoreSelfState(to: SelfState, from: SelfState, tools: CommandContext): Promise<void> {
  const pid = String(process.pid)
  const call = (file: string, ...args: string[]) =>
    tools.run({ ...tools, file, args, childless: true }).catch(() => undefined)
  if (to.affinity !== from.affinity) await call('taskset', '-a', '-c', '-p', to.affinity, pid)
  if (to.policy !== from.policy && to.policy.endsWith(' 0')) await call('chrt', '--other', '-p', '0', pid)
  if (to.nice !== from.nice) setNiceValue(Number(to.nice))
  if (to.io !== from.io) await call('ionice', ...ioWords(to.io), '-p', pid)
  // The calls run one after the other, because a lowered hard limit cannot be restored and its failure must
  // not stop the others.
  for (const word of limitWords(to.limits, from.limits)) await call('prlimit', '--pid', pid, word)
}

function setNiceValue(nice: number): void {
  try {
    setPriority(nice)
  } catch {
    // only the system's administrator can raise a priority again; the run that lowered it is rejected anyway
  }
}

/**
 * Returns the arguments for `ionice` from its output, such as `best-effort: prio 4`, `idle` or
 * `none: prio 0`.
 */
function ioWords(text: string): string[] {
  const [, kind = 'none', level] = /^([a-z-]+)(?:: prio (\d+))?$/.exec(text) ?? []
  const number = { none: '0', realtime: '1', 'best-effort': '2', idle: '3' }[kind] ?? '0'
  return level === undefined || number === '0' || number === '3'
    ? ['-c', number]
    : ['-c', number, '-n', level]
}

const limitNames: Readonly<Record<string, string>> = {
  'Max cpu time': 'cpu',
  'Max file size': 'fsize',
  'Max data size': 'data',
  'Max stack size': 'stack',
  'Max core file size': 'core',
  'Max resident set': 'rss',
  'Max processes': 'nproc',
  'Max open files': 'nofile',
  'Max locked memory': 'memlock',
  'Max address space': 'as',
  'Max file locks': 'locks',
  'Max pending signals': 'sigpending',
  'Max msgqueue size': 'msgqueue',
  'Max nice priority': 'nice',
  'Max realtime priority': 'rtprio',
  'Max realtime timeout': 'rttime',
}

function limitWords(to: string, from: string): string[] {
  const before = new Set(from.split('\n'))
  return to.split('\n').flatMap((line) => {
    const [, name = '', soft, hard] = /^(.*?)\s{2,}(\S+)\s+(\S+)/.exec(line) ?? []
    const option = limitNames[name]
    return before.has(line) || option === undefined ? [] : [`--${option}=${soft}:${hard}`]
  })
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The system does not have this file.
    return ''
  }
}
