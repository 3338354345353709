// Reader of the process table through `ps`, for systems without /proc.
import { execFile } from 'node:child_process'

interface PsRow {
  pid: number
  parent: number
  group: number
  zombie: boolean
  /** Start time in seconds since 1970, without fractions. */
  start: number
  /** Command line, followed by the environment if the system shows it. */
  text: string
}

const columns = 'pid=,ppid=,pgid=,stat=,lstart=,command='

/** Returns all processes. Rejects if `ps` cannot run or fails. */
export function listByPs(): Promise<PsRow[]> {
  // The options of both systems have the same meaning: processes of all users, with the environment, in lines
  // that are not truncated.
  const args = process.platform === 'darwin' ? ['-axEww', '-o', columns] : ['axeww', '-o', columns]
  // `ps` prints start times without a time zone. UTC repeats no hour and does not depend on the settings
  // of this machine.
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC0' }
  return new Promise((resolve, reject) => {
    execFile('ps', args, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
      if (error) reject(error)
      else resolve(parsePsRows(stdout))
    })
  })
}

/** Parses rows of `ps -o pid=,ppid=,pgid=,stat=,lstart=,command=` in the C locale, with times in UTC. */
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
