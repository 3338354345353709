// Recognition of reports of studies. They are not read as sources, because they only quote other files.

/** Matches the commands at the end of each text report. */
const commands = /\banode study verify ([0-9A-HJKMNP-TV-Z]{26})\s+anode study trace \1(?![0-9A-Z])/
/** Matches a printed report, in which the answer comes first and the positions in files follow. */
const printed = /^(?:> \*\*[^\n]*\*\*\n\n)*## Answer\n[\s\S]*\n## Sources\n\n1\. \[?`/
const jsonKeys = ['"citation_accuracy"', '"repaid_steps"', '"uncited"']

/** Returns whether a text is a report that a study has written or printed. */
export function isStudyReport(text: string): boolean {
  if (text.startsWith('{')) return jsonKeys.every((key) => text.includes(key))
  return printed.test(text) || (text.includes('anode study verify') && commands.test(text))
}

/** Text that says why a report of a study was not read. */
export const studyReportSkipped = 'a report of a study'
