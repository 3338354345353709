// Which locales this machine has: bash and perl warn in every output where a variable names another one.
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { EnvironmentVariables } from '../base/environment.ts'

const isLocaleVariable = (name: string) => name === 'LANG' || name.startsWith('LC_')

/**
 * Replaces locales that are not installed by C.UTF-8. Removes them where C.UTF-8 is missing as well. Changes
 * nothing where locales are found in another way: outside of glibc, and where a variable names their place.
 */
export function withInstalledLocale(
  env: Readonly<Record<string, string>>,
  { LOCPATH, LOCALE_ARCHIVE }: EnvironmentVariables,
  root = '/usr/lib/locale',
): Record<string, string> {
  const out = { ...env }
  if (LOCPATH || LOCALE_ARCHIVE) return out
  const missing = Object.entries(env).filter(
    ([name, value]) => isLocaleVariable(name) && value !== '' && !isInstalled(value, root),
  )
  const isUnicodeThere = missing.length > 0 && isInstalled('C.UTF-8', root)
  for (const [name] of missing) {
    if (isUnicodeThere) out[name] = 'C.UTF-8'
    else delete out[name]
  }
  return out
}

const known = new Map<string, boolean>()

/** True also where there is no directory of locales to look into. */
function isInstalled(locale: string, root: string): boolean {
  // a bare word such as `german` may be one of the aliases of glibc
  if (/^(?:C|POSIX|\/.*|[a-z]{4,})$/.test(locale)) return true
  const key = `${root}\0${locale}`
  let isThere = known.get(key)
  if (isThere === undefined) {
    isThere = !existsSync(root) || spellings(locale).some((name) => isStored(name, root))
    known.set(key, isThere)
  }
  return isThere
}

/** As it is written, and as glibc stores it: `de_DE.UTF-8@euro` is `de_DE.utf8@euro`, or any `de_DE`. */
function spellings(locale: string): string[] {
  const [, name = '', codeset, modifier = ''] = /^([^.@]*)(?:\.([^@]*))?(@.*)?$/.exec(locale) ?? []
  if (codeset === undefined) return [locale]
  return [locale, `${name}.${codeset.toLowerCase().replace(/[^a-z0-9]/g, '')}${modifier}`]
}

const isStored = (name: string, root: string) =>
  (/^[\w.@-]+$/.test(name) && existsSync(join(root, name, 'LC_CTYPE'))) || archiveNames(root).has(name)

const archives = new Map<string, ReadonlySet<string>>()

function archiveNames(root: string): ReadonlySet<string> {
  const names = archives.get(root) ?? readArchive(join(root, 'locale-archive'))
  archives.set(root, names)
  return names
}

/** The strings of a locale archive: its header says where they are. Empty without an archive. */
function readArchive(file: string): ReadonlySet<string> {
  let fd: number | undefined
  try {
    fd = openSync(file, 'r')
    const header = Buffer.alloc(28)
    readSync(fd, header, 0, header.length, 0)
    // magic, serial, then offset, used and size of the table of names, then offset and used of the strings
    const strings = Buffer.alloc(Math.min(header.readUInt32LE(24), 1024 * 1024))
    readSync(fd, strings, 0, strings.length, header.readUInt32LE(20))
    return new Set(strings.toString('latin1').split('\0'))
  } catch {
    return new Set()
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
