// Workers on other machines, which are started over ssh and end with this process.
import { createInterface } from 'node:readline'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { messageOf, UserError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text/quoting/shell-word.ts'
import { untilAborted } from '../../base/time-limit.ts'
import type { OwnedProcess } from '../../process/process-command.ts'
import { createRunner } from '../../process/run-command.ts'
import { parseRedisAddress } from '../../study/redis/address.ts'
import type { WorkerNews } from './worker-news.ts'

interface SshOptions {
  /** Names of the machines, as `readHosts` returns them. */
  hosts: readonly string[]
  /** URL of the server with its password. It is sent over standard input, which other users cannot see. */
  engine: string
  /** Words of `anode worker` besides `--engine`. */
  words: readonly string[]
  env: EnvironmentVariables
  cwd: string
  /** True if each worker ends after one task. */
  once: boolean
  /** Aborts when this process is asked to end. The workers then finish their steps. */
  signal: AbortSignal
  /** Called with the news of each worker. */
  tell(host: string, news: WorkerNews): void
}

/** Form of a host: a name, an address, or an alias of the ssh configuration, with a user if needed. */
const hostForm = /^(?:[A-Za-z0-9_][\w.+-]*@)?[A-Za-z0-9_:[][\w.:%[\]-]*$/

/**
 * Returns the hosts of a list with commas. Throws UserError for a name that ssh could take for an option or a
 * shell for several words.
 */
export function readHosts(list: string): string[] {
  const hosts = list.split(',').map((host) => host.trim())
  const bad = hosts.find((host) => host.length > 255 || !hostForm.test(host))
  if (bad === undefined) return [...new Set(hosts)]
  throw new UserError(`--ssh: not a host: "${bad}"`, {
    hint: 'Use names such as build7 or user@10.0.0.5, several with commas. Put options into ~/.ssh/config.',
  })
}

/**
 * Starts a worker on each host. Returns when all have ended because `signal` aborted, or with `once` after
 * their tasks. Throws UserError (exit 2) if all end otherwise. The end of one worker is reported to `tell`,
 * and the others continue.
 */
export async function serveOverSsh(options: SshOptions): Promise<void> {
  const { hosts, engine, env, once, signal } = options
  parseRedisAddress(engine)
  const runner = createRunner({ dataDir: dataDir(env), env, keep: ['SSH_AUTH_SOCK'] })
  try {
    const ends = await Promise.all(hosts.map((host) => serveHost(host, runner.spawn, options)))
    if (signal.aborted || (once && ends.every(({ exit }) => exit === 0))) return
    const reasons = ends.map(({ why }, i) => `${hosts[i]}: ${why}`)
    throw new UserError('no worker is left', { hint: reasons.join('; ') })
  } finally {
    await runner.close()
  }
}

/** Runs the worker of one host to its end. Resolves to the reason of the end, and the exit code of ssh. */
async function serveHost(
  host: string,
  spawn: ReturnType<typeof createRunner>['spawn'],
  { engine, words, cwd, signal, tell }: SshOptions,
): Promise<{ why: string; exit: number | null }> {
  const remote = ['anode', 'worker', '--engine', '-', '--json', ...words].map(quoteWord).join(' ')
  const args = ['-T', '-o', 'BatchMode=yes', '-o', 'ServerAliveInterval=15', '--', host, remote]
  const note = (text: string) => tell(host, { event: 'note', about: 'queue', text })
  let child: OwnedProcess
  try {
    child = await spawn({ file: 'ssh', args, cwd })
  } catch (error) {
    note(`ssh cannot start: ${messageOf(error)}`)
    return { why: messageOf(error), exit: null }
  }
  // the worker ends when its standard input ends
  child.stdin.on('error', () => undefined).write(`${engine}\n`)
  void untilAborted(signal).then(() => child.stdin.end())
  createInterface({ input: child.stdout }).on('line', (line) => tell(host, readNews(line)))
  let last = ''
  let error: string | undefined
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.trim() === '') return
    last = line
    // the line after an error of the worker is only its hint
    if (line.startsWith(errorMark)) error = line.slice(errorMark.length)
    note(line)
  })
  const { exit, signal: killed } = await child.exited
  const why = error ?? (last === '' ? `ssh ended with ${killed ?? `exit code ${exit}`}` : last)
  if (!signal.aborted) note(`ssh ended with ${killed ?? `exit code ${exit}`}`)
  return { why, exit }
}

/** Start of the line in which the worker on another machine says why it ends. */
const errorMark = 'anode: '

function readNews(line: string): WorkerNews {
  try {
    const news = JSON.parse(line) as WorkerNews
    if (typeof news === 'object' && typeof news?.event === 'string') return news
  } catch {
    // the line is a text of the shell of that machine
  }
  return { event: 'note', about: 'queue', text: line }
}
