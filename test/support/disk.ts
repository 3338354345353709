// A disk of about 1 MiB that a test can fill.
import { execFileSync } from 'node:child_process'
import type { TestContext } from 'vitest'
import { scratch } from './scratch.ts'

/**
 * Mounts a directory with this mode and unmounts it with the test. Returns undefined, and prints why, if the
 * user may not mount.
 */
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
