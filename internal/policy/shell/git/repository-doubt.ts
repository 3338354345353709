// The check whether git shows content only of the repository in which it runs, because settings can make it
// read files anywhere.
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isListed } from '../programs/program-table.ts'

const maxBytes = 64 * 1024

/**
 * Returns the reason why git in `dir` may show files from outside the repository. Undefined without a
 * repository, and if `.git` is a plain directory with known settings only.
 */
export function repositoryDoubt(dir: string): string | undefined {
  for (let top = dir; ; top = dirname(top)) {
    const dot = join(top, '.git')
    const kind = kindOf(dot)
    if (kind === 'folder') return folderDoubt(dot)
    if (kind !== 'none') return `${dot} leads to a repository elsewhere`
    if (['HEAD', 'objects', 'refs'].every((name) => kindOf(join(top, name)) !== 'none'))
      return `${top} may itself be a repository`
    if (dirname(top) === top) return undefined
  }
}

function folderDoubt(dot: string): string | undefined {
  for (const name of ['commondir', 'objects/info/alternates', 'objects/info/http-alternates'])
    if (kindOf(join(dot, name)) !== 'none') return `${join(dot, name)} takes content from elsewhere`
  for (const name of ['objects', 'refs', 'objects/info', 'objects/pack'])
    if (!/^(?:folder|none)$/.test(kindOf(join(dot, name)))) return `${join(dot, name)} is not a directory`
  for (const name of ['objects', 'refs', 'logs']) {
    const odd = findLink(join(dot, name))
    if (odd !== undefined) return `${odd} is a link, or cannot be read`
  }
  for (const name of ['HEAD', 'index', 'packed-refs'])
    if (!/^(?:file|none)$/.test(kindOf(join(dot, name)))) return `${join(dot, name)} is not a file`
  const config = join(dot, 'config')
  if (kindOf(config) === 'none') return undefined
  const odd = kindOf(config) === 'file' ? oddSetting(readFileSync(config, 'utf8')) : 'it is not a file'
  return odd === undefined ? undefined : `${config}: ${odd}`
}

/**
 * Returns the first setting, section or malformed line that is not known to stay in the repository, or the
 * text that the file is too large; undefined if all settings are known.
 */
export function oddSetting(text: string): string | undefined {
  if (text.length > maxBytes) return 'it is too large'
  let section = ''
  for (const raw of text.split('\n')) {
    let line = raw.trim()
    // A value that continues on the next line could make that line look like a setting or hide one, so it
    // is not accepted.
    if (line.endsWith('\\')) return line
    const header = /^\[([\w.-]+)(?:[ \t]+"(?:[^"\\]|\\.)*")?\](.*)$/.exec(line)
    if (header) {
      section = header[1]?.split('.')[0] ?? ''
      if (!isListed('harmless sections', section.toLowerCase())) return `[${section}]`
      line = header[2]?.trim() ?? ''
    }
    if (line === '' || /^[#;]/.test(line)) continue
    const key = /^([a-z][\w-]*)[ \t]*(?:=[ \t]*(.*))?$/i.exec(line)
    if (!key || section === '') return line
    const name = `${section}.${key[1]}`
    const plain = /^core\.bare$/i.test(name) && key[2] === 'false'
    if (isListed('leading settings', name.toLowerCase()) && !plain) return name
  }
  return undefined
}

/**
 * Largest number of entries that are checked below one directory. With more, the repository
 * counts as doubtful.
 */
const maxEntries = 20_000

/**
 * Returns the first path at or below `top` that is neither a plain file nor a plain directory, or that
 * exceeds the limit of entries; undefined if all are plain.
 */
function findLink(top: string): string | undefined {
  if (kindOf(top) === 'none') return undefined
  if (kindOf(top) !== 'folder') return top
  const todo = [top]
  let remainingEntries = maxEntries
  for (let dir = todo.pop(); dir !== undefined; dir = todo.pop()) {
    // Directories of loose objects contain no further directories, so their entries need not be checked.
    const isLeaf = /\/objects\/[0-9a-f]{2}$/.test(dir)
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (--remainingEntries < 0 || (!entry.isDirectory() && !entry.isFile())) return join(dir, entry.name)
      if (entry.isDirectory() && !isLeaf) todo.push(join(dir, entry.name))
    }
  }
  return undefined
}

function kindOf(path: string): 'none' | 'file' | 'folder' | 'other' {
  try {
    const stat = lstatSync(path)
    return stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : 'other'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'none' : 'other'
  }
}
