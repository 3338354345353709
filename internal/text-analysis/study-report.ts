// Tells reports of studies from other texts: they quote what is there already, and answer nothing anew.

/** The commands at the end of a report in every form for people. */
const commands = /\banode study verify ([0-9A-HJKMNP-TV-Z]{26})\s+anode study trace \1(?![0-9A-Z])/
/** What a study prints: the answer first, and places of files below. */
const printed = /^(?:> \*\*[^\n]*\*\*\n\n)*## Answer\n[\s\S]*\n## Sources\n\n1\. \[?`/
const jsonKeys = ['"citation_accuracy"', '"repaid_steps"', '"uncited"']

/** Whether a text is such a report, as a study writes or prints it. */
export function isStudyReport(text: string): boolean {
  if (text.startsWith('{')) return jsonKeys.every((key) => text.includes(key))
  return printed.test(text) || (text.includes('anode study verify') && commands.test(text))
}

/** Why such a file is not read. */
export const studyReportSkipped = 'a report of a study'
