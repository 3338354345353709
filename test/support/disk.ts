// A disk of about 1 MiB that a test can fill.
import { execFileSync } from 'node:child_process'
import type { TestContext } from 'vitest'
import { scratch } from './scratch.ts'

/** A folder of that mode, unmounted with the test; undefined where this user may not mount one, which is said. */
export function mountDisk(test: TestContext, mode: '0700' | '0755'): string | undefined {
  const dir = scratch()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=1m,mode=${mode}`, 'tmpfs', dir], { stdio: 'pipe' })
  } catch (error) {
    console.log(`not tested, a file system cannot be mounted here: ${String(error).split('\n')[0]}`)
    return undefined
  }
  test.onTestFinished(() => {
    execFileSync('umount', ['-l', dir])
  })
  return dir
}
