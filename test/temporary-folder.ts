// The directory for the temporary directories of one test run, which is removed with all its contents.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes it the place of temporary files for this process and all it starts. A second call in the same run does nothing. */
export function makeTemporaryFolder(): void {
  if (process.env.ANODE_TEST_TEMP) return
  const dir = mkdtempSync(join(tmpdir(), 'an-'))
  // some tests start programs as another user, who has to come through here
  chmodSync(dir, 0o711)
  // Some file systems do not give out again for minutes what they had for deleted files, and look at each of thousands
  // of those for every new file. With this attribute the folders in it are spread over the disk; others know no such thing.
  spawnSync('chattr', ['+T', dir], { stdio: 'ignore' })
  process.env.ANODE_TEST_TEMP = dir
  process.env.TMPDIR = dir
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }))
}
