// Questions in quotation marks, as in examples of a command: they repeat words and state nothing.

const quotedQuestion = /(["'`“«])[^"'`“”«»\n]{6,200}\?["'`”»]/g

/** The text with blanks in their place, so that all else stays where it is. */
export function withoutQuotedQuestions(text: string): string {
  if (!text.includes('?')) return text
  return text.replace(quotedQuestion, (question) => ' '.repeat(question.length))
}
