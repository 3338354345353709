// Sources of the texts about which a suite asks: a directory next to the suite, an npm package, or a commit
// of a repository.
import * as z from 'zod/mini'
import { hideSecrets } from '../base/secrets.ts'

const globFields = {
  /** Globs of the paths that belong to the corpus. Default: all paths. */
  only: z.optional(z.array(z.string())),
  /** Globs of paths that do not belong to the corpus. */
  except: z.optional(z.array(z.string())),
}
/**
 * Matches an npm package as `name@version`. The part after its scope contains no slash, because it becomes
 * the name of a directory.
 */
const packageName = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*@\d[\w.+-]*$/i

const source = z.union([
  z.strictObject({ root: z.string(), ...globFields }),
  z.strictObject({
    /** An npm package, as `name@version`. */
    package: z.string().check(z.regex(packageName)),
    /** SHA-512 of the archive, in the format of package-lock.json. */
    integrity: z.string().check(z.regex(/^sha512-[A-Za-z0-9+/]{86}==$/)),
    licence: z.optional(z.string()),
    ...globFields,
  }),
  z.strictObject({
    /** URL that git can fetch from. */
    repository: z.string().check(z.regex(/^(https|ssh|file):\/\//)),
    /**
     * Commit of the repository. It is checked only when it is fetched, so that a wrong commit skips its
     * questions and not the whole suite. It must not begin with a dash, because git would take it for a flag.
     */
    commit: z.string().check(z.regex(/^(?!-)/)),
    licence: z.optional(z.string()),
    ...globFields,
  }),
])

/** Corpora by name: one source, or several in separate directories. */
export const corporaSchema = z.record(z.string(), z.union([source, z.array(source).check(z.minLength(1))]))

interface PathSelection {
  only?: readonly string[] | undefined
  except?: readonly string[] | undefined
}

export type CorpusSource = PathSelection &
  (
    | { kind: 'folder'; dir: string }
    | { kind: 'package'; name: string; version: string; integrity: string }
    | { kind: 'repository'; url: string; commit: string }
  )

/** A corpus. Several sources are in directories with their names; a single source is the corpus itself. */
export interface EvalCorpus {
  name: string
  sources: readonly { folder: string; source: CorpusSource }[]
}

/** Describes a corpus. `resolvePath` makes a directory in a suite absolute. */
export function describeCorpus(
  name: string,
  corpusEntry: z.output<typeof corporaSchema>[string],
  resolvePath: (path: string) => string,
): EvalCorpus {
  const list = Array.isArray(corpusEntry) ? corpusEntry : [corpusEntry]
  const sources = list.map((one) => describeSource(one, resolvePath))
  return {
    name,
    sources: sources.length > 1 ? nameFolders(sources) : sources.map((source) => ({ folder: '', source })),
  }
}

function describeSource(
  sourceEntry: z.output<typeof source>,
  resolvePath: (path: string) => string,
): CorpusSource {
  const { only, except } = sourceEntry
  if ('root' in sourceEntry) return { kind: 'folder', dir: resolvePath(sourceEntry.root), only, except }
  if ('repository' in sourceEntry)
    return { kind: 'repository', url: sourceEntry.repository, commit: sourceEntry.commit, only, except }
  const at = sourceEntry.package.lastIndexOf('@')
  const name = sourceEntry.package.slice(0, at)
  const version = sourceEntry.package.slice(at + 1)
  return { kind: 'package', name, version, integrity: sourceEntry.integrity, only, except }
}

/** Gives each source a folder of another name: a second `core` is read from `core-2`. */
function nameFolders(sources: readonly CorpusSource[]): { folder: string; source: CorpusSource }[] {
  const folderNames = new Set<string>()
  return sources.map((source) => {
    const name = folderOf(source)
    let folder = name
    for (let n = 2; folderNames.has(folder); n++) folder = `${name}-${n}`
    folderNames.add(folder)
    return { folder, source }
  })
}

/** Returns the last part of a package's name, a directory's path or a URL, without `.git`. */
function folderOf(source: CorpusSource): string {
  const from = source.kind === 'package' ? source.name : source.kind === 'folder' ? source.dir : source.url
  return (from.replace(/\/+$/, '').split('/').at(-1) ?? from).replace(/\.git$/, '')
}

/**
 * Returns a name for messages: name and version of a package, the path of a directory, or the URL of a
 * repository and the beginning of the commit.
 */
export function sourceName(source: CorpusSource): string {
  if (source.kind === 'package') return `${source.name} ${source.version}`
  return source.kind === 'folder'
    ? source.dir
    : `${hideSecrets(source.url, '[secret]')} at ${source.commit.slice(0, 12)}`
}
