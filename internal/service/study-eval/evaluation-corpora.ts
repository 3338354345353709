// Preparation of the corpora of a question suite: directories that studies can read, or the reason why
// one is missing.
import { copyFileSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { bytesOfText } from '../../base/text/byte-name.ts'
import { compileGlob } from '../../search/glob/glob.ts'
import { type CorpusSource, type EvalCorpus, sourceName } from '../../study-eval/corpus-source.ts'
import { type FetchOptions, fetchSource } from './evaluation-fetch.ts'

export type PlacedCorpus = { kind: 'placed'; root: string } | { kind: 'missing'; why: string }

/**
 * Returns one entry for each name of a corpus; of corpora with the same name, the first one counts. A corpus
 * that is one whole directory or repository is used in place. A package, selected files or several sources
 * are copied below `temp`. An unavailable corpus does not affect the others. Rejects if the signal aborts.
 */
export async function placeCorpora(
  corpora: Iterable<EvalCorpus>,
  temp: string,
  options: FetchOptions,
): Promise<Map<string, PlacedCorpus>> {
  const placed = new Map<string, PlacedCorpus>()
  for (const corpus of corpora) {
    if (placed.has(corpus.name)) continue
    options.signal.throwIfAborted()
    placed.set(corpus.name, await placeCorpus(corpus, join(temp, `corpus-${placed.size + 1}`), options))
  }
  return placed
}

async function placeCorpus(corpus: EvalCorpus, target: string, options: FetchOptions): Promise<PlacedCorpus> {
  let at: CorpusSource | undefined
  try {
    const [first] = corpus.sources
    for (const { folder, source } of corpus.sources) {
      at = source
      const dir = await fetchSource(source, options)
      const isWhole = !source.only && !source.except && source.kind !== 'package'
      if (isWhole && corpus.sources.length === 1 && first) return { kind: 'placed', root: realpathSync(dir) }
      copySelected(dir, join(target, folder), source)
    }
    return { kind: 'placed', root: realpathSync(target) }
  } catch (error) {
    options.signal.throwIfAborted()
    const [why = ''] = messageOf(error).split('\n')
    return { kind: 'missing', why: at && !why.includes(sourceName(at)) ? `${sourceName(at)}: ${why}` : why }
  }
}

/** Copies the selected regular files, without `node_modules` and `.git`. */
function copySelected(from: string, to: string, { only, except }: CorpusSource): void {
  const [wantedGlobs, unwanted] = [only, except].map((globs) => globs?.map((glob) => compileGlob(glob)))
  const matches = (globs: typeof wantedGlobs, path: string) =>
    globs?.some((glob) => glob.test(bytesOfText(path)))
  mkdirSync(to, { recursive: true })
  const copyBelow = (below: string): void => {
    for (const entry of readdirSync(join(from, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && entry.name !== '.git') copyBelow(path)
      } else if (entry.isFile() && (matches(wantedGlobs, path) ?? true) && !matches(unwanted, path)) {
        mkdirSync(dirname(join(to, path)), { recursive: true })
        copyFileSync(join(from, path), join(to, path))
      }
    }
  }
  copyBelow('')
}
