// The manual page for the program `man`, made from the help texts.

/**
 * Returns the page in the format of man(7): the summary, the help of `anode` itself, and a section with the
 * help of every command. `helps` contains the help texts by command.
 */
export function makeManPage(version: string, root: string, helps: Readonly<Record<string, string>>): string {
  const sections = Object.entries(helps)
    .filter(([name]) => name !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, help]) => `.SH ANODE ${escapeLine(name.toUpperCase())}\n${formatVerbatim(help)}`)
  return [
    `.TH ANODE 1 "" "anode ${version}"`,
    '.SH NAME\nanode \\- coding and research agent for the terminal',
    `.SH DESCRIPTION\n${formatVerbatim(root)}`,
    ...sections,
    '.SH SEE ALSO\nRun \\fBanode manual\\fR, or search it: \\fBanode manual \\-\\-search WORDS\\fR.',
    '',
  ].join('\n')
}

function formatVerbatim(text: string): string {
  return `.nf\n${text.trimEnd().split('\n').map(escapeLine).join('\n')}\n.fi`
}

/**
 * Returns a line in which man(7) interprets nothing: backslashes, dashes, and a dot or a single quote at its
 * start are escaped.
 */
function escapeLine(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
}
