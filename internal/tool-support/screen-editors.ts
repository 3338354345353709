// Shell functions that replace editors of a terminal. Commands have no terminal, so an editor would wait
// until the time limit. The function fails at once, unless an option makes the editor run without a terminal.

/**
 * Editors that would wait for a terminal. Other common editors, such as nano, exit by themselves without one.
 */
const editors = ['vi', 'vim', 'nvim', 'view', 'vimdiff']

const mentioned = new RegExp(String.raw`(?<![\w./-])(?:${editors.join('|')})(?![\w./-])`, 'g')

/** Options with which the editors in `editors` work without a terminal. */
const scripted = ['-e', '-es', '-E', '-Es', '-s', '-c', '--headless', '--version', '--help', '-h']

/** Returns `command` with shell functions that replace the screen editors it mentions. */
export function refuseScreenEditors(command: string): string {
  const names = [...new Set(command.match(mentioned) ?? [])]
  if (names.length === 0) return command
  const options = [...scripted.map((one) => `*' ${one} '*`), "*' +'*"].join('|')
  const functions = names.map(
    (name) =>
      `${name}() { case " $* " in ${options}) command ${name} "$@" ;; ` +
      `*) echo '${name}: no terminal here; change files with the tools for files' >&2; return 1 ;; esac; }`,
  )
  return `${functions.join('; ')}; ${command}`
}
