// Sensitive names in the form that ripgrep takes, so that a search never opens such files unless one is named.
import { sensitive, sensitiveGlobs } from '../policy/names.ts'
import { type Name, textOf } from './name.ts'

/** Options that leave sensitive names out and, by its log, tell which were. Case does not count. */
export const guardArgs: readonly string[] = ['--debug', ...sensitiveGlobs.map((one) => `--glob=!${one}`)]

/** True when any part of the path is a name that may hold secrets. */
export const isGuarded = (name: Name): boolean => sensitive(textOf(name))
