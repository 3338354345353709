// The processor time of a test file: of its process and of all ended child processes.
import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './sources.ts'

/**
 * Returns the milliseconds of this process and of its ended children, user and system together.
 * Only on Linux.
 */
function cpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // utime, stime, cutime and cstime, in hundredths of a second; the name before them may contain spaces
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 10 * fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
}

/**
 * With ANODE_CPU=FILE, returns a function that adds the line `MS PATH` to that file at the end of
 * a test file.
 */
export function startCpuCount(): ((testPath: string) => void) | undefined {
  const file = process.env.ANODE_CPU
  if (!file) return undefined
  const before = cpuMs()
  return (testPath) => appendFileSync(file, `${cpuMs() - before} ${relative(root, testPath)}\n`)
}
