// The words of a text and of its reference, and how far the two differ.

/** Scripts without spaces: each letter counts as a word. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** Programs differ in whether a figure or a Latin letter next to an Arabic one is a separate word. */
const arabicParts = /[\p{sc=Arabic}\p{M}]+|\p{N}+|[^\p{sc=Arabic}\p{M}\p{N}]+/gu

/** Marks that a reader adds to a text, so they are not words of the document. */
const marks = [
  /\[(?:picture|drawing|diagram|attachment|chart|object|embedded|formula|comment|text in)[^\]]*\]/gi,
  /\[\^\d+\]/g,
  /^#* ?(?:Comment (?:at|by)[^:]*|Comment|Notes|Header|Footer|Chart(?: \d+)?|Diagram(?: \d+)?|Text box): ?/gm,
  /^#* ?(?:Chart|Diagram)(?: \d+)?$/gm,
  / \(hidden sheet\)$/gm,
  /\(size(?= [^)]*\))/g,
]

/**
 * Returns the words in NFKC and lower case, in order. Layout marks and soft hyphens are not part of a word.
 */
export function wordsOf(text) {
  const plain = text
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0640]/g, '')
  const words = []
  for (const [word] of plain.toLowerCase().matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    if (/\p{sc=Arabic}/u.test(word)) words.push(...(word.match(arabicParts) ?? []))
    else if (!unspaced.test(word)) words.push(word)
    else for (const part of word.match(/[\p{sc=Latin}\p{sc=Cyrillic}\p{N}]+|[\s\S]/gu) ?? []) words.push(part)
  }
  return words
}

export const withoutMarks = (text) => marks.reduce((out, mark) => out.replace(mark, ' '), text)

function countWords(words) {
  const counts = new Map()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/**
 * `reference.text` has the words that `text` must have. `reference.also` has words that `text` may have. Of
 * each list in `reference.oneOf` it must have one form. A word is wrong if its letters do not occur in
 * either, also not across a line end.
 */
export function compareWords(text, reference, notes = []) {
  const own = wordsOf(withoutMarks(text))
  const wanted = wordsOf(reference.text)
  const owned = countWords(own)
  // a note names the omitted lines
  const noted = new Set(wordsOf(notes.join('\n')))
  const missing = []
  for (const [word, count] of countWords(wanted)) {
    const lack = count - (owned.get(word) ?? 0)
    for (let i = 0; i < lack && !noted.has(word); i++) missing.push(word)
  }
  // one of the forms of a number is enough
  const has = (form) => wordsOf(form).every((word) => owned.has(word))
  for (const forms of reference.oneOf ?? []) if (!forms.some(has)) missing.push(forms[0])
  const allowed = new Set([...wanted, ...wordsOf(reference.also ?? '')])
  const letters = [...wanted, ' ', ...wordsOf(reference.also ?? '')].join('')
  const isNumber = (word) => /^\p{N}+$/u.test(word)
  const wrong = [...new Set(own)].filter(
    (word) => !allowed.has(word) && (isNumber(word) || !letters.includes(word)),
  )
  return { words: wanted.length + (reference.oneOf?.length ?? 0), missing, wrong }
}
