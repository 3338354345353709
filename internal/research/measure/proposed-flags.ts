// Flags of `research init` that a workspace probably needs because its tool chain keeps files outside
// of the checkout.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Files that show which tool chain a workspace uses, each with the flags that its benchmark needs
 * and the reason.
 */
const signs: readonly (readonly [file: string, flags: string, why: string])[] = [
  [
    'go.mod',
    '--env GOMODCACHE',
    'modules are read from the cache (`export GOMODCACHE=$(go env GOMODCACHE)`)',
  ],
  ['Cargo.toml', '--env CARGO_HOME --env RUSTUP_HOME', 'crates and tool chains are read from there'],
  ['.venv', '--carry .venv', 'the virtual environment is ignored by git'],
  ['venv', '--carry venv', 'the virtual environment is ignored by git'],
  ['node_modules', '--carry node_modules', 'packages are ignored by git'],
]

interface GivenFlags {
  carry: readonly string[]
  env: readonly string[]
}

/**
 * Returns the flags that the files of a workspace suggest, each with its reason. Omits those whose names are
 * all set already.
 */
export function proposeFlags(workspace: string, givenFlags: GivenFlags): string[] {
  return signs.flatMap(([file, flags, why]) => {
    const names = flags.split(' ').filter((word) => !word.startsWith('--'))
    const isGiven = names.every((name) => givenFlags.carry.includes(name) || givenFlags.env.includes(name))
    return isGiven || !existsSync(join(workspace, file)) ? [] : [`${flags}: ${why}`]
  })
}

/**
 * Returns notices for `init` about proposed flags that are not set: the baseline ran without them, but a
 * candidate may fail.
 */
export function flagNotes(workspace: string, givenFlags: GivenFlags): string[] {
  const proposed = proposeFlags(workspace, givenFlags)
  if (proposed.length === 0) return []
  return [
    `workspaces like this one often need ${proposed.join('; ')}; if a run misses files, init again with them`,
  ]
}
