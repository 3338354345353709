// Network namespace that the commands of a session share while a background job or a terminal runs. So they
// can reach servers that jobs run.
import { readlinkSync } from 'node:fs'
import { messageOf } from '../base/errors.ts'
import type { RunCommand } from '../process/process-command.ts'
import { hasVanished, maxBuilds } from './bubblewrap.ts'

/** Membership of one command in the shared namespace. */
export interface JoinedNetwork {
  /** Program and arguments that put a command into the namespace; undefined if that is not possible. */
  entry?: readonly string[]
  /** Id of a process in the namespace. */
  pid?: number
  /** Ends the membership. Call it once, after the end of the command. */
  leave(): void
}

interface NetworkPrograms {
  /** Absolute path of bwrap. */
  bwrap: string
  /** Absolute path of nsenter; undefined if it is missing. */
  nsenter: string | undefined
}

/** A process that keeps a namespace alive. The namespace has a loopback interface. */
interface NamespaceHolder {
  pid: number
  users: number
  isAlive: boolean
  stop(): void
}

/**
 * Script of the process that keeps the namespace alive. It reports on standard error, because bubblewrap
 * closes standard output after it has written the process id there.
 */
const holderScript = 'echo ready >&2; exec sleep 2147483647'

/**
 * Shared network namespace with only a loopback interface. It starts with the first background job or
 * terminal and ends after the last command in it. While no job and no terminal runs, each command gets
 * a separate namespace.
 */
export class SessionNetwork {
  readonly #programs: NetworkPrograms
  readonly #run: RunCommand
  #holder: Promise<NamespaceHolder | undefined> | undefined
  #lasting = 0
  #problem: string | undefined

  /** `run` has to start a program without a sandbox. */
  constructor(programs: NetworkPrograms, run: RunCommand) {
    this.#programs = programs
    this.#run = run
  }

  /**
   * Reason why commands cannot reach the jobs and terminals that run now; undefined if they can, or if no job
   * and no terminal runs.
   */
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
    // If the process of the namespace was killed, the namespace is not used again and a new one is created.
    const oldHolder = this.#holder
    const last = await oldHolder
    if (last && !hasNetwork(last) && this.#holder === oldHolder) this.#holder = undefined
    this.#holder ??= this.#start()
    const current = this.#holder
    const holder = await current
    if (holder) holder.users++
    const leave = () => {
      // After the last job, commands that are still in the namespace keep it alive, and later commands do
      // not join it.
      if (lasts && --this.#lasting === 0) this.#holder = undefined
      if (holder && --holder.users === 0 && this.#holder !== current) holder.stop()
    }
    return { pid: holder?.pid, entry: holder ? this.#wordsFor(holder) : undefined, leave }
  }

  #wordsFor({ pid }: NamespaceHolder): string[] {
    const places = [`--user=/proc/${pid}/ns/user`, `--net=/proc/${pid}/ns/net`]
    return [this.#programs.nsenter as string, ...places, '--preserve-credentials', '--']
  }

  async #start(): Promise<NamespaceHolder | undefined> {
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

  #hold(): Promise<NamespaceHolder> {
    const ending = new AbortController()
    const holder: NamespaceHolder = { pid: 0, users: 0, isAlive: true, stop: () => ending.abort() }
    let info = ''
    let errors = ''
    return new Promise((resolve, reject) => {
      const holderRun = this.#run({
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
      const endHolder = () => {
        holder.isAlive = false
        reject(new Error(errors.trim() || 'the process that keeps the network ended'))
      }
      holderRun.then(endHolder, endHolder)
    })
  }

  /**
   * Stops the holder and throws if the system does not let a command join the namespace and build
   * a sandbox there.
   */
  async #try(bwrap: string, holder: NamespaceHolder): Promise<void> {
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

/**
 * Returns true if commands can join the namespace. The system is asked about its process, because the exit of
 * a process is reported late.
 */
function hasNetwork({ pid, isAlive }: NamespaceHolder): boolean {
  try {
    return isAlive && readlinkSync(`/proc/${pid}/ns/net`) !== ''
  } catch {
    return false
  }
}
