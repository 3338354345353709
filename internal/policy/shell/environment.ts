// Environment variables: those that decide what runs, and those that change only the output of a program.

import { isListed } from './programs/program-table.ts'

/** Returns true for variables that are known to name programs, options or files that decide what runs. */
export function decidesWhatRuns(name: string): boolean {
  return isListed('deciding variables', name) && !isListed('harmless variables', name)
}

/** Returns true for variables whose value is itself a command line. */
export function isCommandVariable(name: string): boolean {
  return isListed('command variables', name)
}

/**
 * Returns why setting this variable may change what runs; undefined for one that is listed as harmless or as
 * a locale variable. Harmless ones are listed, because the others (PATH, LD_*, GIT_*, PAGER, EDITOR,
 * BASH_ENV, NODE_OPTIONS …) are countless.
 */
export function explainInfluence(name: string): string | undefined {
  return isListed('harmless variables', name) || isListed('locale variables', name)
    ? undefined
    : `it sets ${name}, which may change what runs`
}
