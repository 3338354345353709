// What the search tests share: trees of files on disk, the means of a search, seeded chance.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ripgrepPrograms, type SearchMeans } from '../../internal/search/ripgrep/ripgrep.ts'
import { onFileEnd } from './file-end.ts'
import { run } from './run.ts'

export function means(rest: Partial<SearchMeans> = {}): SearchMeans {
  return {
    run,
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    programs: ripgrepPrograms(),
    ...rest,
  }
}

/** Creates a temporary directory with these files, removed at the end of the test file. */
export function plant(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'anode-search-')))
  onFileEnd(() => rmSync(dir, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
  return dir
}

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
