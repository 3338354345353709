// Removal of directories to which a process that ends may still write.
import { rmSync } from 'node:fs'

/**
 * Removes a directory with its content. `rmSync` lists each directory once, also with `maxRetries`, so a file that
 * appears meanwhile makes it fail. This function lists again for up to `ms` milliseconds, then throws ENOTEMPTY.
 */
export function removeTree(dir: string, ms = 10_000): void {
  const end = Date.now() + ms
  for (;;)
    try {
      rmSync(dir, { recursive: true, force: true })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || Date.now() > end) throw error
    }
}
