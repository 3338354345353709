// Search for definitions in given files with the program universal-ctags.
import { FailureError } from '../../base/errors.ts'
import { type ByteName, bytesOfText, textOfBytes } from '../../base/text/byte-name.ts'
import { isPassable } from '../../base/text/invisible-chars.ts'
import type { SearchMeans } from '../ripgrep/ripgrep.ts'
import type { SymbolHit } from './symbol-hit.ts'

const programs = ['ctags', 'universal-ctags']
const limitMs = 20_000

/**
 * Returns definitions (tags) whose names contain `word`, ignoring case. If ctags is killed, it starts a
 * second time. Undefined if no file name can be an argument, if no ctags with JSON output can be started, or
 * if ctags fails or takes more than 20 seconds. Rejects if the search is cancelled before ctags starts.
 */
export async function runCtags(
  files: readonly ByteName[],
  cwd: string,
  word: string,
  means: SearchMeans,
): Promise<SymbolHit[] | undefined> {
  // ctags reads the list of files line by line, so names with line ends are left out.
  const listed = files.filter((name) => isPassable(name) && !/[\r\n]/.test(name))
  for (const file of means.run && listed.length > 0 ? programs : []) {
    let tags = await runCtagsOnce(file, listed, cwd, word, means)
    if (tags === 'died') tags = await runCtagsOnce(file, listed, cwd, word, means)
    if (tags && tags !== 'died') return tags
  }
  return undefined
}

// The option --options=NONE is used, because option files of a project could load foreign parsers.
const args = [
  '--options=NONE',
  '--output-format=json',
  '--fields=+nKs',
  '--sort=no',
  '--links=no',
  '-f',
  '-',
  '-L',
  '-',
]

async function runCtagsOnce(
  file: string,
  files: readonly ByteName[],
  cwd: string,
  word: string,
  means: SearchMeans,
): Promise<SymbolHit[] | 'died' | undefined> {
  const tags: SymbolHit[] = []
  const foldedWord = word.toLowerCase()
  let rest = ''
  let valid = false
  const take = (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() as string
    for (const line of lines) {
      valid ||= line.startsWith('{"_type"')
      const tag = line.toLowerCase().includes(foldedWord) ? readTag(line, foldedWord) : undefined
      if (tag) tags.push(tag)
    }
  }
  const command = {
    file,
    args,
    cwd,
    signal: means.signal,
    timeoutMs: Math.min(limitMs, means.timeoutMs),
    keepBytes: 1024,
    childless: true,
    input: files.map((name) => `./${textOfBytes(name)}\n`).join(''),
    onOutput: (chunk: Uint8Array, stream: string) => {
      if (stream === 'stdout') take(Buffer.from(chunk).toString('latin1'))
    },
  }
  const outcome = await means.run?.(command).catch((error: unknown) => {
    if (error instanceof FailureError && error.failure.code !== 'cancelled') return undefined
    throw error
  })
  if (outcome && !outcome.ended && outcome.exit === null) return 'died'
  if (!outcome || outcome.ended || outcome.exit !== 0 || !(valid || outcome.stdout.bytes === 0))
    return undefined
  return tags
}

interface CtagsTag {
  _type?: string
  name?: string
  path?: string
  line?: number
  kind?: string
  scope?: string
  pattern?: string
}

function readTag(line: string, foldedWord: string): SymbolHit | undefined {
  let tag: CtagsTag
  try {
    tag = JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as CtagsTag
  } catch {
    // A file name or line that is not UTF-8 gives invalid JSON. Only that tag is lost.
    return undefined
  }
  const { name, path, line: number, kind } = tag
  if (tag._type !== 'tag' || !name || !path || !number || !name.toLowerCase().includes(foldedWord))
    return undefined
  const text = (tag.pattern ?? name).replace(/^\/\^?|\$?\/$/g, '')
  const hit = {
    name,
    kind: kind ?? 'symbol',
    file: bytesOfText(path.replace(/^\.\//, '')),
    line: number,
    text,
  }
  return tag.scope === undefined ? hit : { ...hit, scope: tag.scope }
}
