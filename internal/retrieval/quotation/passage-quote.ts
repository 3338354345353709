// Types of the quoted lines of a passage.

export interface PassageQuote {
  line: number
  end_line: number
  /**
   * Number in the file of the line that says most about the question. `line` and `end_line` are the numbers
   * of the first and the last line.
   */
  key: number
  /** First and last line of each piece, if lines between them are left out. */
  pieces?: readonly (readonly [number, number])[]
  /** True if the quote ends before the unit of code (such as a function) from which it is taken. */
  continues?: boolean
}

/** Another range of lines of a passage that says enough about the question to be quoted too. */
export interface SecondQuote extends PassageQuote {
  /** Value of this range for the question, as a share of the first quote's value. */
  share: number
}
