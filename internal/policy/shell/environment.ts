// Which environment variables change nothing but what a program prints.

import { isListed } from './programs/program-table.ts'

/** True for variables that are known to name programs, options or files that decide what runs. */
export function decidesWhatRuns(name: string): boolean {
  return isListed('deciding variables', name) && !isListed('harmless variables', name)
}

/** True for variables whose value is itself a command line. */
export function isCommandVariable(name: string): boolean {
  return isListed('command variables', name)
}

/**
 * Why setting this variable may change what runs, or undefined when it is known not to. A list of the
 * harmless ones: the others (PATH, LD_*, GIT_*, PAGER, EDITOR, BASH_ENV, NODE_OPTIONS …) have no end.
 */
export function explainInfluence(name: string): string | undefined {
  return isListed('harmless variables', name) || isListed('locale variables', name)
    ? undefined
    : `it sets ${name}, which may change what runs`
}
