// Copies of files that another program may write, such as `~/.claude.json`. These files contain settings and
// credentials, so the program gets a copy, and only refreshed tokens are copied to the original.
import { copyFileSync, lstatSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../../base/files/atomic-write.ts'
import { makeDirectory } from '../../../base/files/make-directory.ts'
import { isObject, type JsonObject } from '../../../base/untrusted-json.ts'

interface ProgramCopies {
  /** Original files (`path`), and the copies (`source`) that the program sees in their place. */
  copies: readonly { path: string; source: string }[]
  /**
   * Real paths of other files with settings or scripts in the list of writable paths. The program can only
   * read these files.
   */
  protected: readonly string[]
  /** Writes refreshed tokens into the original files, and removes the copies. */
  takeBack(): Promise<void>
}

/**
 * Matches names of files with settings or scripts, and of files that shells and programs read at their start.
 */
const settingsName = /\.(?:jsonc?|json5|toml|ya?ml|ini|cfg|conf|[cm]?js|ts|sh)$|rc$|profile$/i

/**
 * Copies those files of the list that contain a JSON object into `folder`. Earlier content of `folder` is
 * removed. Without such files, `folder` is not created.
 */
export function copyProgramFiles(paths: readonly string[], folder: string): ProgramCopies {
  const files = paths.flatMap((path) => realFile(path) ?? [])
  const copied = files.flatMap((path, i) => {
    const base = readObject(path)
    return base ? [{ path, source: join(folder, `${i}`), base }] : []
  })
  rmSync(folder, { recursive: true, force: true })
  if (copied.length > 0) makeDirectory(folder, 0o700)
  for (const { path, source } of copied) copyFileSync(path, source)
  const isCopied = new Set(copied.map(({ path }) => path))
  return {
    copies: copied.map(({ path, source }) => ({ path, source })),
    protected: files.filter((path) => !isCopied.has(path) && settingsName.test(path)),
    async takeBack() {
      for (const { path, source, base } of copied) {
        const now = readObject(path)
        const copy = readObject(source)
        if (now && copy && takeTokens(now, base, copy)) await writeAtomic(path, encodeObject(now, path))
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function realFile(path: string): string | undefined {
  try {
    const real = realpathSync(path)
    return lstatSync(real).isFile() ? real : undefined
  } catch {
    // the sandbox does not create a missing file
    return undefined
  }
}

/** Returns the JSON object in a file; undefined if the file cannot be read or contains anything else. */
function readObject(path: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Matches the names of tokens and of their times. Other values are not copied, because they could decide what
 * a later session runs.
 */
const tokenName =
  /^(?:(?:access|refresh|id|oauth|session|auth)?[_-]?token|expire[sd]?[_-]?(?:at|in|on)?|expiry)$/i

/**
 * Copies tokens into `now` that differ between `base` and `copy`, which means that the program has refreshed
 * them. Adds no names and changes no types. Returns true if `now` has changed.
 */
function takeTokens(now: JsonObject, base: JsonObject, copy: JsonObject): boolean {
  let isChanged = false
  for (const [name, value] of Object.entries(now)) {
    if (!Object.hasOwn(base, name) || !Object.hasOwn(copy, name)) continue
    const before = base[name]
    const fresh = copy[name]
    if (isObject(value) && isObject(before) && isObject(fresh)) {
      if (takeTokens(value, before, fresh)) isChanged = true
    } else if (tokenName.test(name) && fresh !== before && fresh !== value && isToken(fresh, value)) {
      now[name] = fresh
      isChanged = true
    }
  }
  return isChanged
}

/**
 * Returns true if `fresh` looks like a token: a number, or a text of at most 16,384 letters, digits and signs
 * without spaces, of the same type as `value`.
 */
const isToken = (fresh: unknown, value: unknown): boolean =>
  typeof fresh === typeof value && (typeof fresh === 'number' || /^[\w.~+/=|:-]{1,16384}$/.test(`${fresh}`))

/** Returns the text of an object in the indentation of the file. */
function encodeObject(value: JsonObject, path: string): Buffer {
  const indent = /^\{\r?\n([ \t]+)"/.exec(readFileSync(path, 'utf8'))?.[1]
  return Buffer.from(`${JSON.stringify(value, null, indent)}\n`)
}
