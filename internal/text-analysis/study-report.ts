// Detection of reports of studies, because they quote other files and add no new information.

/** The commands at the end of each readable report. */
const commands = /\banode study verify ([0-9A-HJKMNP-TV-Z]{26})\s+anode study trace \1(?![0-9A-Z])/
/** A printed report: the answer first, and the positions in files below it. */
const printed = /^(?:> \*\*[^\n]*\*\*\n\n)*## Answer\n[\s\S]*\n## Sources\n\n1\. \[?`/
const jsonKeys = ['"citation_accuracy"', '"repaid_steps"', '"uncited"']

/** Returns whether a text is a report that a study has written or printed. */
export function isStudyReport(text: string): boolean {
  if (text.startsWith('{')) return jsonKeys.every((key) => text.includes(key))
  return printed.test(text) || (text.includes('anode study verify') && commands.test(text))
}

/** Reason why such a file is not read. */
export const studyReportSkipped = 'a report of a study'
