// The process table by way of `ps`, for systems without /proc.
import { execFile } from 'node:child_process'

interface PsRow {
  pid: number
  parent: number
  group: number
  zombie: boolean
  /** Seconds since 1970, to the second. */
  start: number
  /** Command line and, where the system shows it, the environment behind it. */
  text: string
}

const columns = 'pid=,ppid=,pgid=,stat=,lstart=,command='

/** All processes. Rejects when `ps` cannot be run. */
export function listByPs(platform: NodeJS.Platform = process.platform): Promise<PsRow[]> {
  // the same wish in two dialects: everybody's processes, with the environment, lines not cut
  const args = platform === 'darwin' ? ['-axEww', '-o', columns] : ['axeww', '-o', columns]
  // ps prints starts without a zone: UTC has no hour twice, and does not depend on how this machine is set
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC0' }
  return new Promise((resolve, reject) => {
    execFile('ps', args, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
      if (error) reject(error)
      else resolve(parsePsRows(stdout))
    })
  })
}

/** Rows of `ps -o pid=,ppid=,pgid=,stat=,lstart=,command=` in the C locale, with times in UTC. */
export function parsePsRows(text: string): PsRow[] {
  const line = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3} \w{3}\s+\d+ [\d:]{8} \d{4})\s?(.*)$/
  return text.split('\n').flatMap((row) => {
    const match = line.exec(row)
    if (!match) return []
    const [, pid, parent, group, state = '', start = '', rest = ''] = match
    const zombie = state.startsWith('Z')
    const seconds = Math.floor(Date.parse(`${start} UTC`) / 1000)
    return [
      { pid: Number(pid), parent: Number(parent), group: Number(group), zombie, start: seconds, text: rest },
    ]
  })
}
