// The network namespace that commands of a session share while a background job or a terminal runs.
import { readlinkSync } from 'node:fs'
import { messageOf } from '../base/errors.ts'
import type { RunCommand } from '../process/process-command.ts'
import { hasVanished, maxBuilds } from './bubblewrap.ts'

/** One start in the shared namespace. */
export interface JoinedNetwork {
  /** Arguments that precede a command and make it join the namespace; undefined if that is not possible. */
  entry?: readonly string[]
  /** Id of a process in the namespace. */
  pid?: number
  /** Leaves the namespace. Call it once, after the end of the command. */
  leave(): void
}

interface NetworkPrograms {
  /** Absolute path of bwrap. */
  bwrap: string
  /** Absolute path of nsenter; undefined if it is missing. */
  nsenter: string | undefined
}

/** A process that only keeps a namespace alive, in which the loopback is up. */
interface Holder {
  pid: number
  users: number
  isAlive: boolean
  stop(): void
}

/**
 * Bubblewrap closes standard output after it has written the process id to it, so the script
 * uses standard error.
 */
const holderScript = 'echo ready >&2; exec sleep 2147483647'

/**
 * The shared namespace. It starts with the first job or terminal and ends after the last command in it.
 * Commands that start while no job and no terminal runs do not join. The namespace has only a loopback.
 */
export class SessionNetwork {
  readonly #programs: NetworkPrograms
  readonly #run: RunCommand
  #holder: Promise<Holder | undefined> | undefined
  #lasting = 0
  #problem: string | undefined

  /** `run` starts a program without a sandbox. */
  constructor(programs: NetworkPrograms, run: RunCommand) {
    this.#programs = programs
    this.#run = run
  }

  /** The reason why commands cannot join the jobs and terminals that run now. */
  get problem(): string | undefined {
    return this.#lasting > 0 ? this.#problem : undefined
  }

  /**
   * Joins the namespace. `lasts`: the command is a job or a terminal. Resolves to undefined for a command
   * that gets a separate namespace.
   */
  async join(lasts: boolean): Promise<JoinedNetwork | undefined> {
    if (!lasts && this.#lasting === 0) return undefined
    if (lasts) this.#lasting++
    // a namespace whose process was killed is not joined again
    const known = this.#holder
    const last = await known
    if (last && !hasNetwork(last) && this.#holder === known) this.#holder = undefined
    this.#holder ??= this.#start()
    const current = this.#holder
    const holder = await current
    if (holder) holder.users++
    const leave = () => {
      // commands that are still in the namespace keep it alive, and later ones create another
      if (lasts && --this.#lasting === 0) this.#holder = undefined
      if (holder && --holder.users === 0 && this.#holder !== current) holder.stop()
    }
    return { pid: holder?.pid, entry: holder ? this.#wordsFor(holder) : undefined, leave }
  }

  #wordsFor({ pid }: Holder): string[] {
    const places = [`--user=/proc/${pid}/ns/user`, `--net=/proc/${pid}/ns/net`]
    return [this.#programs.nsenter as string, ...places, '--preserve-credentials', '--']
  }

  async #start(): Promise<Holder | undefined> {
    const { nsenter, bwrap } = this.#programs
    if (nsenter === undefined) {
      this.#problem = 'nsenter (package util-linux) is not installed'
      return undefined
    }
    for (let i = 1; ; i++) {
      try {
        const holder = await this.#hold()
        await this.#try(bwrap, holder)
        this.#problem = undefined
        return holder
      } catch (error) {
        this.#problem = messageOf(error)
        if (i === maxBuilds || !hasVanished(this.#problem)) return undefined
      }
    }
  }

  #hold(): Promise<Holder> {
    const ending = new AbortController()
    const holder: Holder = { pid: 0, users: 0, isAlive: true, stop: () => ending.abort() }
    let info = ''
    let errors = ''
    return new Promise((resolve, reject) => {
      const ended = this.#run({
        file: this.#programs.bwrap,
        args: [
          ...['--unshare-user', '--unshare-net', '--die-with-parent', '--cap-drop', 'ALL'],
          ...['--ro-bind', '/', '/', '--info-fd', '1', '--', '/bin/sh', '-c', holderScript],
        ],
        cwd: '/',
        signal: ending.signal,
        onOutput: (chunk, stream) => {
          if (stream === 'stdout') info += Buffer.from(chunk).toString('latin1')
          else errors += Buffer.from(chunk).toString('latin1')
          const pid = Number(/"child-pid": (\d+)/.exec(info)?.[1])
          if (holder.pid > 0 || !(pid > 0) || !errors.includes('ready')) return
          holder.pid = pid
          resolve(holder)
        },
      })
      const gone = () => {
        holder.isAlive = false
        reject(new Error(errors.trim() || 'the process that keeps the network ended'))
      }
      ended.then(gone, gone)
    })
  }

  /** Throws if the system does not let a command join the namespace and build its sandbox there. */
  async #try(bwrap: string, holder: Holder): Promise<void> {
    const [file = '', ...args] = this.#wordsFor(holder)
    const inside = [
      bwrap,
      '--unshare-user',
      '--unshare-pid',
      '--ro-bind',
      '/',
      '/',
      '--proc',
      '/proc',
      'true',
    ]
    const { exit, stderr } = await this.#run({ file, args: [...args, ...inside], cwd: '/', timeoutMs: 5000 })
    if (exit === 0) return
    holder.stop()
    throw new Error(stderr.text.trim().split('\n').at(-1) || `nsenter ended with exit ${exit}`)
  }
}

/** Returns true if the namespace can be joined. The exit of its process is reported with a delay. */
function hasNetwork({ pid, isAlive }: Holder): boolean {
  try {
    return isAlive && readlinkSync(`/proc/${pid}/ns/net`) !== ''
  } catch {
    return false
  }
}
