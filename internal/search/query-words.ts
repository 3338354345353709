// Words of a question that are worth a search, without common words.

const empty = new Set(
  `a about after all an and any are as at be been before between by can code do does done each every
  find for from get had has have how i if in into is it its line lines make me my no not of off on or
  our out over show so some than that the their them then there these this those through to up us use
  used uses using was we were what when where which while who why will with without you your file
  files function functions place places`.split(/\s+/),
)

const maxWords = 8

/**
 * Returns at most eight words of a question, each once if case is ignored. Common words and words of one or
 * two letters are left out. Endings are removed if at least four letters remain.
 */
export function tellingWords(question: string): string[] {
  const all = question.match(/[\p{L}\p{N}_$]+/gu) ?? []
  const words = all.filter((word) => word.length > 2 && !empty.has(word.toLowerCase())).map(stemWord)
  const first = words.filter((word, i) => words.findIndex((other) => isSameWord(word, other)) === i)
  return first.slice(0, maxWords)
}

const isSameWord = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/**
 * Returns a word without an ending such as `ed`, so that `refreshed` finds `refresh` too. Unchanged are names
 * in code (capitals inside, digits, underscores) and words of which less than four letters would remain.
 */
function stemWord(word: string): string {
  if (!/^\p{Lu}?\p{Ll}+$/u.test(word)) return word
  const short = word.replace(/(?:ing|ed|es|s)$/, '')
  return short.length >= 4 ? short : word
}
