// Temporary directories of tests: real, without links in their path, removed when the test ends.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Creates an empty directory for the running test. Its path is short, because narrow screens show
 * some of them.
 */
export function scratch(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 't')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** Creates a directory for the running test with these files, by relative path. */
export function scratchWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const dir = scratch()
  plant(dir, files)
  return dir
}

export function plant(dir: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
}

/**
 * Returns every file below `dir` by relative path, as latin1 text so that each byte counts. `x`
 * marks executable ones.
 */
export function harvest(dir: string): Record<string, string> {
  const found: Record<string, string> = {}
  const walk = (at: string) => {
    for (const name of readdirSync(at).sort()) {
      const path = join(at, name)
      const stat = lstatSync(path)
      if (stat.isDirectory()) walk(path)
      else found[relative(dir, path) + (stat.mode & 0o100 ? ' x' : '')] = readFileSync(path, 'latin1')
    }
  }
  if (existsSync(dir)) walk(dir)
  return found
}
