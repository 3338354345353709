// What a test file costs in processor time, of its own process and of all that it has started and waited for.
import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './sources.ts'

/** Milliseconds of this process and of its ended children, user and system together; Linux alone has them. */
function cpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // utime, stime, cutime and cstime, in hundredths of a second; the name before them may hold blanks
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 10 * fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
}

/** With ANODE_CPU=FILE: what is called at the end of a test file adds the line `MS PATH` to that file. */
export function startCpuCount(): ((testPath: string) => void) | undefined {
  const file = process.env.ANODE_CPU
  if (!file) return undefined
  const before = cpuMs()
  return (testPath) => appendFileSync(file, `${cpuMs() - before} ${relative(root, testPath)}\n`)
}
