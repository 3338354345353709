// Editors that wait for a terminal, which commands do not have. They exit at once instead of at
// the time limit.

/** The waiting editors. Others exit by themselves without a terminal. */
const editors = ['vi', 'vim', 'nvim', 'view', 'vimdiff']

const mentioned = new RegExp(String.raw`(?<![\w./-])(?:${editors.join('|')})(?![\w./-])`, 'g')

/** Options that make them work without a terminal. */
const scripted = ['-e', '-es', '-E', '-Es', '-s', '-c', '--headless', '--version', '--help', '-h']

/** Returns `command` with functions in place of the editors that it mentions. */
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
